import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { tickCheck, watchCheck } from '../../../src/health-checks.ts'
import { buildServer } from '../../../src/http/server.ts'

const healthz = {
  ticker: () => ({ ok: true, reason: '' }),
  leader: () => ({ ok: true, reason: '', text: 'standby: b leads' }),
}
const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n' }

function aServer(checks: Record<string, boolean>) {
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) })
  const state = Object.fromEntries(
    Object.keys(checks).map((name) => [name, () => ({ ok: checks[name] === true, reason: 'the secret reason' })]),
  )
  return {
    server: buildServer({ healthz, readyz: state, metrics, log }),
    logged,
    checks,
  }
}

const cases: Record<string, { path: string; code: number; body: string }> = {
  'all is well': { path: '/healthz', code: 200, body: 'ok\n' },
  'one of several fails: its name, and not its reason': { path: '/readyz', code: 503, body: 'not ok: jobs-watch\n' },
  'the check that fails, by name': { path: '/readyz/jobs-watch', code: 503, body: 'not ok: jobs-watch\n' },
  'a check of the other probe, by name': { path: '/healthz/ticker', code: 200, body: 'ok\n' },
  'a check with something to tell, by name': { path: '/healthz/leader', code: 200, body: 'standby: b leads\n' },
  'the metrics': { path: '/metrics', code: 200, body: 'up 1\n' },
  'another, by name': { path: '/readyz/sync', code: 200, body: 'ok\n' },
  'no such check': { path: '/readyz/none', code: 404, body: 'no such check; there are: sync, jobs-watch\n' },
  'anything else': { path: '/', code: 404, body: 'not found: try /healthz, /readyz or /metrics\n' },
}
for (const [name, { path, code, body }] of Object.entries(cases))
  test(`http: ${name}`, async () => {
    const answer = await aServer({ sync: true, 'jobs-watch': false }).server.inject(path)
    assert.deepEqual([answer.statusCode, answer.body], [code, body])
  })

test('http: HEAD answers with the code alone', async () => {
  const { server } = aServer({ sync: false })
  for (const [path, code] of Object.entries({ '/healthz': 200, '/readyz': 503, '/readyz/sync': 503, '/': 404 })) {
    const { statusCode, body } = await server.inject({ method: 'HEAD', path })
    assert.deepEqual([path, statusCode, body], [path, code, ''])
  }
})

test('http: probes are not logged, changes of their answer are, with the reason', async () => {
  const { server, logged, checks } = aServer({ sync: false })
  for (let probe = 0; probe < 3; probe += 1) await server.inject('/readyz')
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /the secret reason/)
  checks['sync'] = true
  for (let probe = 0; probe < 3; probe += 1) await server.inject('/readyz')
  assert.equal(logged.length, 2)
})

const healthy = { synced: true, connected: true, silentMs: 0, disconnectedMs: 0 }
const checks: Record<string, { check: { ok: boolean }; want: boolean }> = {
  'the tick loop turns': { check: tickCheck(1_000), want: true },
  'the tick loop stands': { check: tickCheck(5_000), want: false },
  'a watch is open': { check: watchCheck(healthy), want: true },
  'the first list has not come': { check: watchCheck({ ...healthy, synced: false }), want: false },
  'a watch that has just ended': {
    check: watchCheck({ ...healthy, connected: false, disconnectedMs: 500 }),
    want: true,
  },
  'no watch for long': { check: watchCheck({ ...healthy, connected: false, disconnectedMs: 3_001 }), want: false },
  'a watch that should have ended by itself': { check: watchCheck({ ...healthy, silentMs: 50_000 }), want: false },
}
for (const [name, { check, want }] of Object.entries(checks))
  test(`health: ${name}`, () => assert.equal(check.ok, want))
