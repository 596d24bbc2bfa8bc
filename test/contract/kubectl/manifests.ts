import { cp, writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { root } from '../../support/shipped.ts'
import { aJob, aResource } from '../kinds.ts'

const name = 'beat'

/** What the steps apply. */
const files: Readonly<Record<string, object>> = {
  'namespace.yaml': { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'work' } },
  'beat.yaml': aResource({ name }),
  'beat-changed.yaml': aResource({ name, labels: { app: 'x' } }, { intervalSeconds: 20, args: ['a'] }),
  'unknown-field.yaml': aResource({ name: 'odd' }, { suspendd: true }),
  'refused.yaml': aResource({ name: 'refused' }, { intervalSeconds: 0 }),
  'list.yaml': { apiVersion: 'v1', kind: 'List', items: ['one', 'two'].map((each) => aResource({ name: each })) },
  'odd-list.yaml': { apiVersion: 'v1', kind: 'List', items: [aResource({ name: 'odd' }, { suspendd: true })] },
  'job.yaml': aJob({ name: 'still' }),
  'event.yaml': {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'beat.1', namespace: 'work' },
    involvedObject: { apiVersion: 'myyrakle.com/v1', kind: 'SecondCronJob', name, namespace: 'work' },
    type: 'Warning',
    reason: 'Tested',
    message: 'it was tested',
    source: { component: 'contract' },
    count: 2,
    firstTimestamp: '2026-01-01T12:00:00Z',
    lastTimestamp: '2026-01-01T12:00:05Z',
  },
}

export async function writeManifests(folder: string): Promise<void> {
  for (const [file, object] of Object.entries(files)) await writeFile(`${folder}/${file}`, stringify(object))
  await cp(`${root}deploy`, `${folder}/deploy`, { recursive: true })
}
