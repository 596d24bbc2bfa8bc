import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Cluster, createdAt, expectationOf, untilTime } from '../support/cluster.ts'
import { describeLateness } from '../support/verdict.ts'

let cluster: Cluster

before(async () => {
  cluster = await Cluster.start()
  await (await cluster.operator()).start()
})
after(() => cluster[Symbol.asyncDispose]())

test('a resource of one second: 60 Jobs in 60 seconds, each named by its slot, none early', async (t) => {
  const object = await cluster.create('every-second', { intervalSeconds: 1 })
  const from = createdAt(object) + 2_000
  await untilTime(from + 60_500)
  const verdict = await cluster.judge([expectationOf(object, from, from + 60_000)])
  const { launched, lost, twice, offGrid, early } = verdict
  assert.deepEqual(
    { launched, lost, twice, offGrid, early },
    { launched: 60, lost: [], twice: [], offGrid: [], early: [] },
  )
  t.diagnostic(describeLateness(verdict))
})
