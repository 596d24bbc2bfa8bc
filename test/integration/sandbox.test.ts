import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Ended {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

function run(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [`${root}sandbox/sandbox.ts`, ...args], { timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

/** A folder that goes with the test. */
async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(`${tmpdir()}/scj-sandbox-test-`)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** The operator with one place of it broken: the main file of the copy. */
async function broken(path: string, file: string, [from, to]: readonly [string, string]): Promise<string> {
  for (const part of ['src', 'deploy', 'package.json'])
    await cp(`${root}${part}`, `${path}/${part}`, { recursive: true })
  await symlink(`${root}node_modules`, `${path}/node_modules`)
  const text = await readFile(`${path}/${file}`, 'utf8')
  assert.equal(text.split(from).length, 2, `${file} has not exactly one ${from}`)
  await writeFile(`${path}/${file}`, text.replace(from, to))
  return `${path}/src/main.ts`
}

test('the sandbox: wrong flags are one sentence and exit code 2', async () => {
  const stderr = '--for is "x"; write a number of seconds or minutes below 10000, such as 20s or 2m\n'
  assert.deepEqual(await run('--for', 'x'), { code: 2, stdout: '', stderr })
})

test('the sandbox: --help prints how to use it', async () => {
  const { code, stdout, stderr } = await run('--help')
  assert.match(stdout, /^npm run sandbox -- \[--for 20s\] \[--file my\.yaml\] \[--real\]\n/)
  assert.deepEqual([code, stderr], [0, ''])
})

test('the sandbox: a file that is not there, or is no manifest, is one sentence and exit code 2', async () => {
  await using place = await folder()
  const wrong = `${place.path}/wrong.yaml`
  await writeFile(wrong, 'a: [')
  const nothing = `${place.path}/nothing.yaml`
  await writeFile(nothing, 'kind: SecondCronJob')
  const answers = await Promise.all([`${place.path}/none.yaml`, wrong, nothing].map((file) => run('--file', file)))
  assert.deepEqual(
    answers.map(({ code, stdout }) => [code, stdout]),
    [
      [2, ''],
      [2, ''],
      [2, ''],
    ],
  )
  const [none, notYaml, noManifest] = answers.map(({ stderr }) => stderr)
  assert.match(none ?? '', /none\.yaml can't be read .*; write --file and the path of a manifest/)
  assert.match(notYaml ?? '', /wrong\.yaml is not YAML/)
  assert.match(noManifest ?? '', /nothing\.yaml, document 1: write apiVersion, kind and metadata/)
})

describe('the sandbox runs, on Node alone', { concurrency: true }, () => {
  test('the samples: every due slot has its Job, what is wrong is told, exit code 0', async () => {
    const { code, stdout, stderr } = await run('--for', '6s')
    assert.match(stdout, /export KUBECONFIG=\S+\n/)
    assert.match(stdout, /\d\d:\d\d:\d\d {2}every-second-\d{10} +[\d.]+ ms late\n/)
    assert.match(stdout, /not-accepted +not accepted: .*restartPolicy: Unsupported value/)
    assert.match(stdout, /suspended +Suspended\n/)
    assert.match(stdout, /\n[1-9]\d* slots due, 0 lost, 0 twice, 0 early, 0 that were not due; lateness p50/)
    assert.deepEqual([code, stderr], [0, ''], stdout)
  })

  test("the user's own manifests: what the API server refuses is told, the rest runs, exit code 1", async () => {
    await using place = await folder()
    const file = `${place.path}/my.yaml`
    const head = 'apiVersion: myyrakle.com/v1\nkind: SecondCronJob\n'
    const good = `${head}metadata: { name: mine }\nspec: { intervalSeconds: 1, image: busybox }\n`
    const bad = `${head}metadata: { name: bad }\nspec: { intervalSeconds: 0, image: busybox }\n`
    const misspelt = `${head}metadata: { name: misspelt }\nspec: { intervalSeconds: 1, image: busybox, suspended: true }\n`
    await writeFile(file, [bad, misspelt, good].join('---\n'))
    const { code, stdout } = await run('--for', '4s', '--file', file)
    assert.match(stdout, /SecondCronJob bad is refused: .*spec\.intervalSeconds/)
    assert.match(stdout, /SecondCronJob misspelt is refused: .*unknown field "spec\.suspended"/)
    assert.match(stdout, /mine-\d{10} /)
    assert.equal(code, 1, stdout)
  })

  test('a cron text: it runs, its slots are not counted, which is said, and the sandbox ends', async () => {
    const { code, stdout } = await run('--for', '4s', '--file', 'deploy/examples/schedule.yaml')
    assert.match(stdout, /\n0 slots due without those of nightly, 0 lost, /)
    assert.match(stdout, /\nnightly: 0 runs, looked at for doubles and early ones only: /)
    assert.equal(code, 0, stdout)
  })

  const skips = [
    '  if (slot === null) return null\n',
    '  if (slot === null || slot % 3_000 === 0) return null\n',
  ] as const
  const doubles = [
    '  return `${name}-${Math.floor(slot / 1_000)}`',
    '  return `${name}-${Math.floor(slot / 1_000) + (Math.random() < 0.5 ? 0 : 7)}`',
  ] as const
  for (const { what, file, change, told } of [
    { what: 'leaves out every third second', file: 'src/schedule/decide.ts', change: skips, told: /[1-9]\d* lost/ },
    { what: 'names its Jobs at random', file: 'src/api/job.ts', change: doubles, told: /[1-9]\d* (lost|early|that)/ },
  ])
    test(`an operator that ${what} is found out: exit code 1`, async () => {
      await using place = await folder()
      const { code, stdout } = await run('--for', '7s', '--operator', await broken(place.path, file, change))
      assert.match(stdout, told)
      assert.match(stdout, /wrong are every-second-\d{10}/)
      assert.equal(code, 1)
    })
})
