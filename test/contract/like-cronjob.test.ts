import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { groups } from './groups.ts'

/** Keeps docs/cronjob.md true: every test that it names exists, and every sentence that is tested stands in it. */

const unit = 'test/unit/schedule'
const ownUnit = 'cronjob-sentences.test.ts'
const ownGroups = ['like a CronJob', 'like a CronJob, in time']

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Line {
  readonly sentence: string
  readonly here: string
  /** `GROUP: NAME`, or `unit: FILE: NAME`. */
  readonly shownBy: string
}

async function lines(): Promise<readonly Line[]> {
  const cells = (await read('docs/cronjob.md')).matchAll(/^\| (.+?) \| (.+?) \| (.+) \|$/gm)
  return [...cells]
    .map(([, sentence = '', here = '', shownBy = '']) => ({ sentence, here, shownBy }))
    .filter(isSentence)
}

function isSentence({ sentence }: Line): boolean {
  return sentence !== 'a CronJob'
}

/** The sentence is the name, with the reason behind it where we differ. */
function named({ sentence, here, shownBy }: Line): string {
  const name = here.startsWith('differs') ? `${sentence}; ${here}` : sentence
  if (shownBy === 'unit') return `unit: ${ownUnit}: ${name}`
  return ownGroups.includes(shownBy) ? `${shownBy}: ${name}` : shownBy
}

const rows = groups.flatMap(({ name: group, rows: own }) => own.map(({ name }) => `${group}: ${name}`))

async function unitTests(file: string): Promise<readonly string[]> {
  const source = await read(`${unit}/${file}`)
  const titles = source.matchAll(/^(?:test\('(?:CronJob: )?| {2}')([^'\n]+)'(?:, (?:async )?\(\) =>|: \[)/gm)
  return [...titles].map(([, title]) => `unit: ${file}: ${title}`)
}

test('docs/cronjob.md: each test that it names exists', async () => {
  const tests = new Set([...rows, ...(await unitTests(ownUnit)), ...(await unitTests('zone.test.ts'))])
  const names = (await lines()).map(named)
  assert.deepEqual(
    names.filter((name) => !tests.has(name)),
    [],
  )
})

test('docs/cronjob.md: each sentence that is tested stands in it', async () => {
  const own = rows.filter((row) => ownGroups.some((group) => row.startsWith(`${group}: `)))
  const names = new Set((await lines()).map(named))
  assert.deepEqual(
    [...own, ...(await unitTests(ownUnit))].filter((name) => !names.has(name)),
    [],
  )
})

test('docs/cronjob.md: each sentence holds or differs with a reason, and stands there once', async () => {
  const all = await lines()
  assert.deepEqual(
    all.filter(({ here }) => !/^(holds(, .+|: .+)?|differs, since .+)$/.test(here)),
    [],
  )
  const sentences = all.map(({ sentence }) => sentence)
  assert.equal(new Set(sentences).size, sentences.length)
})
