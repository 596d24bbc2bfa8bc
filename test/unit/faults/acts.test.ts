import assert from 'node:assert/strict'
import { test } from 'node:test'
import { together, withFault } from '../../faults/acts.ts'
import type { EventRule, RequestRule } from '../../faults/proxy/rules.ts'
import type { Stage } from '../../faults/stage.ts'
import { otherWriter } from '../../faults/user-acts.ts'
import { withEvents } from '../../faults/watch-acts.ts'

type Told = 'replayed' | 'received' | 'dropped'

/** A stage on which two faults are over at once, and of which the proxy has told this before. */
async function played(...told: readonly Told[]): Promise<Stage> {
  const hooks = new Map<string, () => void>()
  const proxy = {
    add: ({ on }: RequestRule) =>
      Object.entries(on ?? {}).forEach(([moment, hook]) => hooks.set(moment, hook as () => void)),
    addForEvents: ({ on }: EventRule) => hooks.set('dropped', on ?? (() => undefined)),
    remove: () => undefined,
  }
  const stage = { runs: 0, unplayed: [], proxy } as unknown as Stage
  const act = together(withFault({ verb: 'list' }, { do: 'replay', ageMs: 1 }), withEvents({}, {}, { do: 'drop' }))
  const over = act(stage, Date.now() + 5)
  for (const each of told) hooks.get(each)?.()
  await over
  return stage
}

test('faults: of two at once each is done, and both are counted', async () => {
  const { runs, unplayed } = await played('replayed', 'dropped')
  assert.deepEqual([runs, unplayed], [2, []])
})

test('faults: of two at once one is never done, and the row says so', async () => {
  const { runs, unplayed } = await played('dropped')
  assert.deepEqual([runs, unplayed], [1, ['never done: replay {"verb":"list"}']])
})

test('faults: a list that is only asked for is none that is replayed', async () => {
  const { runs, unplayed } = await played('received', 'dropped')
  assert.deepEqual([runs, unplayed.length], [1, 1])
})

const taken = () => Promise.resolve({})

/** A stage on which whatever users do is taken, and no request of the operator meets its fault. */
function calm(): Stage {
  const cluster = { annotate: taken }
  return { runs: 0, unplayed: [], names: ['f0'], cluster, proxy: { add: taken, remove: taken } } as unknown as Stage
}

test('faults: another writer alone is not all of its row', async () => {
  const stage = calm()
  await otherWriter(stage, Date.now() + 1)
  assert.deepEqual(stage.unplayed, ['never done: a write of ours that is a 409'])
})
