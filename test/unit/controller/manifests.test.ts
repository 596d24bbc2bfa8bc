import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { asRecord } from '../../../src/api/fields.ts'
import { termAnnotation } from '../../../src/api/names.ts'
import type { JobManifest } from '../../../src/controller/ports.ts'
import { Manifests } from '../../../src/controller/manifests.ts'
import { heldTemplate } from '../../../src/api/template.ts'
import { aSecondCronJob, held, template } from '../../support/builders.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const large = aSecondCronJob({}, { jobTemplate: held({ args: 'x'.repeat(100_000) }) })
const store = { put: () => undefined, bury: () => undefined }

/** A race with a promise that stays pending kept every manifest that had ever been made: 250 trials of a megabyte, 250 MB. */
test('what was made of a large template is not kept', async () => {
  const manifests = new Manifests({
    control: { getWithTemplate: async () => ({ object: large, template }) },
    store,
    transitions: () => 7,
  })
  const made: WeakRef<JobManifest>[] = []
  for (let n = 0; n < 20; n += 1) made.push(new WeakRef((await manifests.ofTrial(large)) ?? assert.fail('none')))
  await turn()
  collectGarbage()
  assert.deepEqual(
    made.flatMap((manifest) => manifest.deref() ?? []),
    [],
  )
})

test('each says by which leadership it was sent, whatever its template says; its Pods do not', async () => {
  const small = aSecondCronJob(
    {},
    {
      jobTemplate: heldTemplate({
        metadata: { labels: {}, annotations: { [termAnnotation]: '99' } },
        spec: template.spec,
      }),
    },
  )
  let transitions = 7
  const manifests = new Manifests({
    control: { getWithTemplate: async () => null },
    store,
    transitions: () => transitions,
  })
  const first = await manifests.ofSlot(small, 0)
  transitions = 8
  const second = await manifests.ofTrial(small)
  assert.deepEqual([first, second].map(termOf), ['7', '8'])
  assert.doesNotMatch(JSON.stringify(first?.spec), /lease-transitions/)
})

function termOf(manifest: JobManifest | null): unknown {
  return asRecord(manifest?.metadata['annotations'])[termAnnotation]
}

test('an answer of an older generation is not believed', async () => {
  const object = { ...large, generation: 0 }
  const manifests = new Manifests({
    control: { getWithTemplate: async () => ({ object, template }) },
    store,
    transitions: () => 7,
  })
  assert.equal(await manifests.ofSlot(large, 0), null)
})
