import { after, before, describe, test } from 'node:test'
import { groups } from '../contract/groups.ts'
import { RealGround } from '../contract/real-ground.ts'
import { holdsOn, runRow } from '../contract/row.ts'

/** The rows of test/contract on the real control plane, which is what they have to be true of. */
const atOnce = 12

let ground: RealGround
before(async () => {
  ground = await RealGround.start()
})
after(() => ground[Symbol.asyncDispose]())

const rows = groups.flatMap(({ name, rows: all }) => all.map((row) => ({ group: name, ...row })))

describe('the contract on the real control plane', { concurrency: atOnce }, () => {
  for (const row of rows.filter((each) => holdsOn('real', each)))
    test(`${row.group}: ${row.name}`, async () => runRow(row, await ground.world()))
})
