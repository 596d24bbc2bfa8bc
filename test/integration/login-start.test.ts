import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { ClusterNotFound, type Credentials } from '../../src/kube/credentials.ts'
import { Transport } from '../../src/kube/transport.ts'
import { plainCredentials } from '../support/a-transport.ts'
import { garbage } from '../support/garbage-credentials.ts'
import { ManualClock } from '../support/manual-clock.ts'

async function credentials(found: Partial<Credentials>): Promise<Credentials> {
  return { ...plainCredentials, ...found }
}

for (const [name, found] of Object.entries(garbage))
  test(`started with ${name}: one sentence`, async () => {
    const source = { server: new URL('http://127.0.0.1:1'), read: () => credentials(found) }
    const clock = new ManualClock('2026-01-01T12:00:00Z')
    const parts = { source, clock, log: pino({ level: 'silent' }), connections: 4 }
    await assert.rejects(
      Transport.open({ ...parts, userAgent: 'test/1' }),
      (error: Error) =>
        error instanceof ClusterNotFound && /^[^\n]+ can't be used|^[^\n]+ can be used: [^\n]+$/.test(error.message),
    )
  })
