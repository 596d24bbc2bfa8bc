import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test, type TestContext } from 'node:test'
import { blindStandby } from '../../faults/leader-acts.ts'
import { askedOf } from '../../faults/proxy/asked.ts'
import { type EventRule, isAbout, type RequestRule, Rules } from '../../faults/proxy/rules.ts'
import type { Stage } from '../../faults/stage.ts'
import { settle } from '../../support/manual-clock.ts'

const watch = askedOf({ method: 'GET', url: '/apis/batch/v1/jobs?watch=true', body: '', accept: '' })

/** Two operators, `a` leads. The proxy has the rules that it is given; nothing goes through it but what the test sends. */
function pair() {
  const [events, requests] = [new Rules<EventRule>(() => 0), new Rules<RequestRule>(() => 0)]
  const proxy = {
    add: (rule: RequestRule) => requests.add([rule]),
    addForEvents: (rule: EventRule) => events.add([rule]),
    remove: (...ids: readonly string[]) => [events, requests].forEach((rules) => rules.remove(ids)),
  }
  const [killed, successor] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const b = { name: 'b' }
  const a = { name: 'a', kill: async () => killed.resolve(), start: async () => a }
  const stage = {
    runs: 0,
    operators: [a, b],
    proxyOf: (operator: unknown) => (operator === b ? proxy : null),
    leader: async (but?: unknown) => (but === undefined ? a : successor.promise),
    takeover: async (end: () => Promise<unknown>) => end(),
    idle: async (act: () => Promise<unknown>) => act(),
  }
  const isBlind = () => events.first(({ match, fault }) => fault.do === 'drop' && isAbout(match, watch)) !== null
  /** The API server has stored that this one holds the Lease. */
  const renewed = (name: string) => {
    const url = '/apis/coordination.k8s.io/v1/namespaces/n/leases/l'
    const asked = askedOf({ method: 'PUT', url, body: `{"spec":{"holderIdentity":"${name}_1"}}`, accept: '' })
    requests.first(({ match }) => isAbout(match, asked))?.on?.committed?.(asked)
  }
  return { stage, isBlind, renewed, killed: killed.promise, leads: successor.resolve }
}

/** So that the seconds of an act take none. */
function mockTime(t: TestContext): (ms: number) => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.timers.reset()
    syncBuiltinESMExports()
  })
  return async (ms) => {
    await settle()
    t.mock.timers.tick(ms)
    await settle()
  }
}

test('faults: the blind standby sees again from the moment at which it has the Lease, and no sooner', async (t) => {
  const pass = mockTime(t)
  const { stage, isBlind, renewed, killed, leads } = pair()
  const over = blindStandby(stage as unknown as Stage, 1)
  await pass(0)
  assert.ok(isBlind(), 'from the beginning')
  await pass(6_000)
  await killed
  renewed('a')
  assert.ok(isBlind(), 'while it is the other one’s')
  renewed('b')
  assert.deepEqual([isBlind(), stage.runs], [false, 1])
  leads()
  await pass(1_500)
  await pass(4_000)
  await over
})
