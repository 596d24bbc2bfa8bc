import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiError } from '../support/builders.ts'
import { OperatorWorld } from '../support/operator-world.ts'

/** That the parts are put together as they should be: the order of what the whole operator asks for. */

test('takeover: after the claim of the lease, and before anything is written, both kinds are listed', async () => {
  await using world = new OperatorWorld()
  await world.until(() => world.log.includes('POST jobs'))
  const [claim, ...rest] = world.log
  assert.equal(claim, 'claim')
  assert.deepEqual(new Set(rest.slice(0, 2)), new Set(['LIST secondcronjobs', 'LIST jobs']))
})

test('told to end while a create hangs: it gets a second, is aborted, and only then the lease is given back', async () => {
  await using world = new OperatorWorld()
  world.onCreate = ({ signal }) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(anApiError({ kind: 'Unanswered' }))),
    )
  await world.until(() => world.log.includes('POST jobs'))
  world.terminate()
  await world.clock.advance(900)
  assert.deepEqual([world.log.includes('release'), world.log.includes('end jobs')], [false, false])
  await world.until(() => world.log.includes('release'))
  const [released, ended] = [world.log.indexOf('release'), world.log.lastIndexOf('end jobs')]
  assert.ok(ended !== -1 && ended < released, world.log.join(', '))
  assert.equal(world.log.slice(released + 1).length, 0)
})

test('a clock that differs by over five seconds in three answers: the lease is given back, and nothing is written any more', async () => {
  await using world = new OperatorWorld()
  await world.until(() => world.log.includes('POST jobs'))
  for (let answer = 0; answer < 3; answer += 1) world.offset.observe(world.clock.now() - 10_000)
  await world.until(() => world.holder === '')
  const released = world.log.indexOf('release')
  await world.clock.advance(10_000)
  assert.deepEqual(
    world.log.slice(released).filter((line) => line.startsWith('POST')),
    [],
  )
  for (let answer = 0; answer < 3; answer += 1) world.offset.observe(world.clock.now())
  await world.until(() => world.log.lastIndexOf('claim') > released)
})

for (const [what, ms] of [
  ['forward', 3_600_000],
  ['back', -3_600_000],
] as const)
  test(`the clock of the leader is set ${what} by an hour: nothing is launched by it, and the lease is given back`, async () => {
    await using world = new OperatorWorld()
    world.tellsTime = true
    await world.until(() => world.log.filter((line) => line === 'end jobs').length > 3)
    await world.clock.stepWall(ms)
    const stepped = world.log.length
    await world.until(() => world.holder === '')
    const after = world.log.slice(stepped)
    assert.deepEqual(
      after.filter((line) => /^(POST|PATCH|DELETE)/.test(line)),
      [],
    )
    await world.clock.stepWall(-ms)
    await world.until(() => world.log.lastIndexOf('POST jobs') > stepped)
  })
