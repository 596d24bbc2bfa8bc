import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextVersion } from '../../support/builders.ts'
import { Election } from '../../support/candidates.ts'

/** Somebody else writes the Lease as well, but not who holds it: labels, annotations, what the API server keeps of fields. */

function label({ server }: Election): void {
  if (server.lease !== null) server.write({ ...server.lease, resourceVersion: nextVersion() })
}

test('the leader is killed, and somebody puts labels on the Lease every two seconds: the standby leads as if nobody did', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(5_000)
  await a.die()
  let waited = 0
  for (; !b.leads && waited < 30_000; waited += 2_000) {
    await election.advance(2_000)
    label(election)
  }
  assert.ok(b.leads, `nobody leads after ${waited / 1_000} s`)
  assert.ok(waited <= 8_000, `${waited} ms`)
})

test('somebody has put a label on the Lease since the last renewal: the leader that stops releases it all the same', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(5_000)
  label(election)
  await a.stop()
  const seconds = await election.until(() => b.leads)
  assert.ok(seconds <= 0.1, `${seconds} s`)
})

test('the answer of the last renewal is lost: the leader that stops releases all the same', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const b = election.join('b')
  await election.advance(5_050)
  a.control.isAnswerLost = true
  await election.advance(1_000)
  a.control.isAnswerLost = false
  await a.stop()
  const seconds = await election.until(() => b.leads)
  assert.ok(seconds <= 0.1, `${seconds} s`)
})

test('a renewal is answered after a stranger has written the Lease: the answer is no leadership', async () => {
  await using election = new Election()
  const a = election.join('a')
  await election.advance(100)
  const { promise, resolve } = Promise.withResolvers<void>()
  let held = 0
  a.control.after = () => {
    held += 1
    return held === 1 ? promise : undefined
  }
  await election.advance(1_000)
  assert.equal(held, 1)
  const { lease } = election.server
  assert.ok(lease !== null)
  election.server.write({ ...lease, holder: 'stranger', resourceVersion: nextVersion() })
  await election.advance(10)
  assert.equal(a.leads, false)
  resolve()
  await election.advance(10)
  assert.equal(a.leads, false)
})
