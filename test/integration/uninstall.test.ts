import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { finalizer } from '../../src/api/names.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { Transport } from '../../src/kube/transport.ts'
import { uninstall, type Uninstalled } from '../../src/uninstall.ts'
import { aTransport } from '../support/a-transport.ts'
import { type Answer, failure, json, page, ScriptedApiServer } from '../support/scripted-api-server.ts'

let server: ScriptedApiServer
let transport: Transport

beforeEach(async () => {
  server = await ScriptedApiServer.start()
  transport = await aTransport(server, { clock: systemClock })
})
afterEach(async () => {
  await transport.close()
  await server.end()
})

const metadata = { uid: 'u', namespace: 'default', name: 'kept', resourceVersion: '1', finalizers: [finalizer] }
const kept = { metadata, spec: { intervalSeconds: 10, image: 'a' } }
const stripped = { ...kept, metadata: { ...metadata, finalizers: [] } }
const listed = (object: object) => page([object], { resourceVersion: '9' })
const leaseOf = (holderIdentity: string, leaseDurationSeconds: number): Answer =>
  json(200, { metadata: { resourceVersion: '1' }, spec: { holderIdentity, leaseDurationSeconds } })
const noLease = failure(404, 'NotFound', { name: 'second-cron-job-operator', kind: 'leases' })

/** Runs it to its end; answers what it says, and how long it slept. */
async function run(): Promise<Uninstalled & { readonly seconds: number }> {
  let sleptMs = 0
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms) => {
      sleptMs += ms
    },
  }
  const parts = { transport, clock, namespaces: undefined, podNamespace: 'myyrakle', leaseDuration: 6_000 }
  const said = await uninstall({ ...parts, confirm: async () => true })
  return { ...said, seconds: sleptMs / 1_000 }
}

/** It looked two seconds later and said done; the standby took over after six, and put the finalizer back. */
test('the leader was killed a moment ago: the standby that takes over and puts the finalizer back is waited for', async () => {
  server.expect(listed(kept), json(200, stripped), listed(stripped), leaseOf('killed', 6), listed(kept))
  const { ok, message, seconds } = await run()
  assert.match(message, /^an operator is still running and has put it back \(default\/kept\): .*, then try again$/)
  assert.equal(ok, false)
  assert.ok(seconds >= 11 && seconds <= 14, `${seconds} s`)
})

function elsewhere({ metadata: own, ...rest }: { metadata: object }): object {
  return { ...rest, metadata: { ...own, uid: 'w', namespace: 'unserved' } }
}

/** It said to delete the Deployment, which is meant to stay where it serves a few namespaces only. */
test('an operator serves one of two namespaces: what is said of which', async () => {
  const both = page([kept, elsewhere(kept)], { resourceVersion: '9' })
  const after = page([kept, elsewhere(stripped)], { resourceVersion: '9' })
  server.expect(both, json(200, stripped), json(200, elsewhere(kept)), after, leaseOf('leader', 6))
  const { ok, message } = await run()
  assert.equal(ok, false)
  assert.equal(
    message,
    'an operator is still running and has put it back (default/kept): to free these too, delete its Deployment or leave their namespaces out of its --namespaces, then try again; the finalizer is taken off the other 1',
  )
})

test('a lease lasts longer than usual: so does the wait', async () => {
  server.expect(listed(kept), json(200, stripped), listed(stripped), leaseOf('killed', 60), listed(stripped))
  const { ok, seconds } = await run()
  assert.ok(ok && seconds >= 65, `${seconds} s`)
})

for (const [name, answer] of Object.entries({ 'is not there': noLease, 'may not be read': failure(403, 'Forbidden') }))
  test(`the Lease ${name}, as where an operator uses another one: it is waited for all the same`, async () => {
    server.expect(listed(kept), json(200, stripped), listed(stripped), answer, listed(stripped))
    const { ok, message, seconds } = await run()
    assert.deepEqual([ok, message], [true, 'the finalizer is taken off 1 SecondCronJobs'])
    assert.ok(seconds >= 11, `${seconds} s`)
  })

test('the Lease was given back and nobody took it: nothing is waited for', async () => {
  server.expect(listed(kept), json(200, stripped), listed(stripped), leaseOf('', 1))
  const { ok, seconds } = await run()
  assert.ok(ok && seconds < 4, `${seconds} s`)
})

/** The API server said `expected int, got string` of it, and nothing of what to do. */
test('an object that an older CRD let in, and whose every write is refused: the command that mends it', async () => {
  const text = { ...kept, spec: { intervalSeconds: '10', image: 'a' } }
  const invalid = failure(422, 'Invalid')
  server.expect(listed(text), invalid, json(200, text), invalid, json(200, text))
  const { ok, message } = await run()
  assert.equal(ok, false)
  const command = `kubectl -n default patch secondcronjob kept --type merge -p '{"spec":{"intervalSeconds":10}}'`
  assert.match(message, /^could not be taken off 1: default\/kept: spec\.intervalSeconds: /)
  assert.ok(message.includes(command), message)
})
