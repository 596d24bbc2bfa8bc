import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnedJobs } from '../../../src/controller/owned-jobs.ts'
import { aJob } from '../../support/builders.ts'
import { at } from '../../support/times.ts'

const [older, newer] = [aJob({ slot: at('12:00:00') }), aJob({ slot: at('12:00:10') })]

test('the newest slot is the newest ever seen, in whatever order the Jobs arrive, and it stays when they go', () => {
  const owned = new OwnedJobs()
  owned.change(undefined, newer)
  owned.change(undefined, older)
  assert.equal(owned.slots('uid-beat').at(-1), newer.slot)
  owned.change(newer, undefined)
  owned.change(older, undefined)
  assert.deepEqual([owned.slots('uid-beat'), owned.of('uid-beat')], [[newer.slot], []])
})

test('a Job that is released is no longer ours', () => {
  const owned = new OwnedJobs()
  owned.change(undefined, older)
  owned.change(older, { ...older, ownerUid: null })
  assert.deepEqual(owned.of('uid-beat'), [])
})

test('nothing is kept of a resource that is gone, once its last Job is', () => {
  const owned = new OwnedJobs()
  owned.change(undefined, older)
  owned.forget('uid-beat')
  assert.equal(owned.of('uid-beat').length, 1)
  owned.change(older, undefined)
  assert.deepEqual(owned.slots('uid-beat'), [])
})
