import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdAt } from '../support/expectations.ts'
import { EmbeddedGround } from './embedded-ground.ts'
import { aResource } from './kinds.ts'
import { runRow } from './row.ts'
import { launchesOf } from './rows/stories.ts'
import type { World } from './world.ts'

async function embedded(run: (world: World) => Promise<void>): Promise<void> {
  await using ground = await EmbeddedGround.start()
  await runRow({ name: 'of the harness', run }, await ground.world())
}

test('time stands while anything is on its way: each of 120 launches is received in the very millisecond in which it is due', () =>
  embedded(async (world) => {
    await world.operator()
    const names = ['one', 'two', 'three']
    const made = await Promise.all(names.map((name) => world.create(aResource({ name }, { intervalSeconds: 1 }))))
    const first = Math.max(...made.map(createdAt)) + 1_000
    await world.passUntil(first + 39_500)
    const launches = (await Promise.all(names.map((name) => launchesOf(world, name)))).flat()
    const due = launches.filter(({ slot }) => slot >= first)
    assert.equal(due.length, 120)
    assert.deepEqual([...new Set(due.map(({ slot, received }) => received - slot))], [0])
  }))

test('a condition that never comes is told of when its time is used up, and not before', () =>
  embedded(async (world) => {
    const before = world.now()
    await assert.rejects(
      world.until('a miracle', 60_000, async () => false),
      /^Error: waited 60000 ms for a miracle$/,
    )
    assert.equal(world.now() - before, 60_000)
  }))
