import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Election } from '../../support/candidates.ts'
import { anApiError, nextVersion } from '../../support/builders.ts'

test('the first one leads at once, the second stands by, and asks for nothing while the first renews', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(30_000)
  assert.deepEqual([a.leads, b.leads, b.elector.holder], [true, false, 'a'])
  assert.ok(a.control.log.length >= 29 && a.control.log.length <= 32, `${a.control.log.length} requests of the leader`)
  assert.deepEqual(b.control.log, ['get'])
})

test('the leader is killed: the standby leads six seconds after its last renewal', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(10_000)
  await a.die()
  const seconds = await election.until(() => b.leads)
  assert.ok(seconds > 4.9 && seconds <= 6.1, `${seconds} s`)
  assert.equal(election.server.lease?.transitions, 1)
})

test('the leader stops and releases: the standby leads at once', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(10_000)
  await a.stop()
  assert.ok((await election.until(() => b.leads)) <= 0.1)
})

test('a dead watch: the standby asks at the end of what it knows, and no sooner takes what was renewed', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  b.control.isWatchDead = true
  await election.advance(30_000)
  assert.deepEqual([a.leads, b.leads], [true, false])
  assert.ok(b.control.log.length > 3 && b.control.log.length < 10, `${b.control.log.length} requests`)
  await a.die()
  assert.ok((await election.until(() => b.leads)) <= 12.1)
})

test('the leader’s requests hang: it stops writing 4.5 s after the last renewal that it sent, before anybody else begins', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(10_000)
  a.control.way = () => new Promise(() => undefined)
  const until = await election.until(() => !a.leads)
  assert.ok(until > 3.4 && until <= 4.55, `${until} s`)
  assert.equal(a.terms[0]?.expired.aborted, false)
  await election.until(() => a.terms[0]?.expired.aborted === true)
  assert.equal(b.leads, false)
  assert.ok((await election.until(() => b.leads)) > 0)
  a.control.way = () => undefined
  await election.advance(10_000)
  assert.deepEqual([a.leads, b.leads, a.terms.length], [false, true, 1])
})

test('the leader’s requests fail for a while, and nobody else is there: it leads again, in another term', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  a.control.way = () => anApiError({ kind: 'ServerError', code: 500 })
  await election.until(() => !a.leads)
  a.control.way = () => undefined
  await election.until(() => a.leads)
  assert.equal(a.terms.length, 2)
})

test('the answers of its renewals are lost: it finds its own name in the Lease, and goes on in the same term', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const acquired = election.server.lease?.acquired
  a.control.isAnswerLost = true
  await election.advance(2_500)
  a.control.isAnswerLost = false
  await election.advance(10_000)
  assert.deepEqual([a.leads, a.terms.length, election.server.lease?.transitions], [true, 1, 0])
  assert.equal(election.server.lease?.acquired, acquired)
})

test('a renewal counts from when it was sent, not from when it was answered', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  a.control.way = () => election.clock.sleep(2_000)
  // Sent a second after the claim, answered two seconds later, a moment ago.
  await election.advance(3_000)
  const since = a.terms[0]?.sinceRenewal() ?? 0
  assert.ok(since >= 2_000 && since <= 2_200, `${since} ms`)
})

test('a claim counts from when it was sent as well', async () => {
  await using election = new Election()
  const a = election.join('a')
  // The first renewal is due by then, and is not answered.
  a.control.way = () => election.clock.sleep(a.control.log.at(-1) === 'create' ? 2_000 : 60_000)
  await election.until(() => a.leads)
  const since = a.terms[0]?.sinceRenewal() ?? 0
  assert.ok(since >= 2_000, `${since} ms`)
})

test('the Lease is deleted by hand: its holder makes it anew, nobody else does meanwhile', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(10_000)
  election.server.write(null)
  await election.advance(10_000)
  assert.deepEqual([a.leads, b.leads, a.terms.length], [true, false, 1])
  assert.equal(election.server.lease?.holder, 'a')
})

test('the Lease is handed to a stranger: the leader ends at once; when the stranger does not renew, somebody leads again', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(2_100)
  const { lease } = election.server
  assert.ok(lease !== null)
  election.server.write({ ...lease, holder: 'stranger', resourceVersion: nextVersion() })
  assert.equal(a.leads, false)
  assert.equal(a.terms[0]?.expired.aborted, true)
  assert.ok((await election.until(() => a.leads)) >= 5.9)
})

test('unfit: it gives the Lease to somebody else, says why, and does not come back before it is fit', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(5_000)
  a.unfit = 'ClockSkew'
  assert.ok((await election.until(() => b.leads)) <= 1.2)
  assert.equal(a.terms[0]?.over.reason, 'ClockSkew')
  await b.stop()
  await election.advance(20_000)
  assert.equal(a.leads, false)
  a.unfit = null
  assert.ok((await election.until(() => a.leads)) <= 1.2)
})

test('the machine was suspended and its monotonic clock stood still: it writes nothing before it has renewed', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(3_300)
  await election.clock.stepWall(20_000)
  assert.equal(a.leads, false)
  await election.until(() => a.leads)
  assert.equal(a.terms.length, 1)
})

test('whatever hangs, fails and gets lost: never do two hold at once', async () => {
  const fault = fc.constantFrom('hang', 'fail', 'lose', 'blind', 'well')
  const step = fc.record({ who: fc.nat({ max: 2 }), fault, ms: fc.integer({ min: 50, max: 8_000 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await using election = new Election()
      const all = ['a', 'b', 'c'].map((name) => election.join(name))
      for (const { who, fault: kind, ms } of steps) {
        const control = all[who]?.control
        assert.ok(control !== undefined)
        control.isAnswerLost = kind === 'lose'
        control.isWatchDead = kind === 'blind'
        const hang = new Promise<void>(() => undefined)
        control.way = () => (kind === 'hang' ? hang : kind === 'fail' ? anApiError({ kind: 'Unanswered' }) : undefined)
        await election.advance(ms)
      }
      for (const { control } of all) {
        control.way = () => undefined
        control.isAnswerLost = false
      }
      await election.until(() => election.leaders.length === 1)
    }),
    { numRuns: 60 },
  )
})
