import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killedAt } from '../../faults/kill-at.ts'
import { writes } from '../../faults/kinds.ts'
import type { RequestRule } from '../../faults/proxy/rules.ts'

/** A proxy with one request that matches, of which each moment is told when the test says so. */
function setUp(until: number) {
  const rules: RequestRule[] = []
  const signals: string[] = []
  const proxy = { add: (...added: readonly RequestRule[]) => void rules.push(...added), remove: () => undefined }
  const leader = { signal: (signal: NodeJS.Signals) => void signals.push(signal) }
  const isKilled = killedAt(proxy, { leader, moment: 'committed', match: writes['job-delete'], nth: 1, until })
  const asked = {} as Parameters<NonNullable<NonNullable<RequestRule['on']>['committed']>>[0]
  return { isKilled, signals, committed: () => rules[0]?.on?.committed?.(asked) }
}

test('the operator is killed at the moment of its request', async () => {
  const { isKilled, signals, committed } = setUp(Date.now() + 60_000)
  committed()
  assert.equal(await isKilled, true)
  assert.deepEqual(signals, ['SIGKILL'])
})

test('an answer that comes when the period is over kills nobody: it would not be started again', async () => {
  const { isKilled, signals, committed } = setUp(Date.now())
  assert.equal(await isKilled, false)
  committed()
  assert.deepEqual(signals, [])
})
