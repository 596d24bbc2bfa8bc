import { describe, test } from 'node:test'
import { EmbeddedGround } from './embedded-ground.ts'
import { groups } from './groups.ts'
import { holdsOn, runRow } from './row.ts'

/** Every row on an embedded server of its own; `test/e2e/contract.test.ts` shows the same of the real one. */
for (const { name, rows } of groups)
  describe(name, () => {
    for (const row of rows.filter((each) => holdsOn('embedded', each)))
      test(row.name, async () => {
        await using ground = await EmbeddedGround.start()
        await runRow(row, await ground.world())
      })
  })
