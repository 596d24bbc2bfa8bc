import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextVersion } from '../../support/builders.ts'
import { Election } from '../../support/candidates.ts'

/** Whose end a lease goes by, and what is no leadership. */

for (const [durationMs, least, most] of [
  [15_000, 14.9, 15.1],
  [2_000, 1.9, 2.1],
] as const)
  test(`a stranger's lease of ${durationMs / 1_000} s ends when it says so, whatever our own flags are`, async () => {
    await using election = new Election()
    election.server.write({
      resourceVersion: nextVersion(),
      holder: 'stranger',
      durationMs,
      transitions: 3,
      acquired: 0,
      renewed: '',
    })
    const a = election.join('a')
    const seconds = await election.until(() => a.leads)
    assert.ok(seconds >= least && seconds <= most, `${seconds} s`)
    assert.equal(election.server.lease?.transitions, 4)
  })

test('the machine was suspended between a claim and its answer: no term begins, the next claim counts', async () => {
  await using election = new Election()
  const a = election.join('a')
  const answer = Promise.withResolvers<void>()
  a.control.way = () => (a.control.log.at(-1) === 'create' ? answer.promise : undefined)
  await election.advance(500)
  await election.clock.stepWall(20_000)
  answer.resolve()
  await election.advance(100)
  assert.deepEqual([election.server.lease?.holder, a.terms.length], ['a', 0])
  await election.until(() => a.leads)
  assert.equal(a.terms.length, 1)
})

test('deleted by hand while nothing reaches its holder, and the standby’s watch is dead: the standby still waits for its end', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  b.control.isWatchDead = true
  await election.advance(5_500)
  a.control.way = () => new Promise(() => undefined)
  a.control.isWatchDead = true
  election.server.write(null)
  // Throws when two lead at once: what b has seen of the lease is six seconds old by now, its last renewal is not.
  const seconds = await election.until(() => b.leads)
  assert.ok(seconds >= 6 && seconds <= 7, `${seconds} s`)
})

/** The Jobs that it has sent meanwhile carry that number, and deploy-fence refuses a smaller one than the Lease's. */
test('deleted by hand and made anew by its holder: the number of the leadership stays', async () => {
  await using election = new Election()
  election.server.write({
    resourceVersion: nextVersion(),
    holder: '',
    durationMs: 1_000,
    transitions: 3,
    acquired: 0,
    renewed: '',
  })
  const a = election.join('a')
  await election.until(() => a.leads)
  election.server.write(null)
  await election.until(() => election.server.lease !== null)
  assert.deepEqual([election.server.lease?.transitions, a.terms.map(({ transitions }) => transitions)], [4, [4]])
})

test('deleted by hand together with its holder: somebody leads when it would have ended', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(10_000)
  await a.die()
  election.server.write(null)
  assert.ok((await election.until(() => b.leads)) <= 6.1)
})
