import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { allowed, refused } from './lint-cases.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
/** What the linter said of each case, by its name. */
const said = new Map<string, string>()

interface Probe {
  readonly name: string
  readonly path: string
  readonly text: string
}

/** Each case in a file of its own, unless it is about a file of ours. */
const probes: readonly Probe[] = Object.entries({ ...refused, ...allowed }).map(([name, [path, text]], n) => ({
  name,
  path: path.replace('/x.', `/x${n}.`),
  text,
}))

/** A copy of the source under the project's own rules, to break them in: few runs of the linter, since each costs. */
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/lint-`)
  for (const part of ['src', '.oxlintrc.json', 'package.json', 'tsconfig.json'])
    await cp(`${root}/${part}`, `${folder}/${part}`, { recursive: true })
  await symlink(`${root}/node_modules`, `${folder}/node_modules`)
  const byPath = Object.values(Object.groupBy(probes, ({ path }) => path)).filter((group) => group !== undefined)
  const rounds = Math.max(...byPath.map((group) => group.length))
  for (let round = 0; round < rounds; round += 1)
    await lintAll(byPath.flatMap((group) => group.slice(round, round + 1)))
})
after(() => rm(folder, { recursive: true, force: true }))

async function lintAll(round: readonly Probe[]): Promise<void> {
  const originals = await Promise.all(round.map(({ path }) => readFile(`${folder}/${path}`, 'utf8').catch(() => null)))
  for (const { path, text } of round) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true })
    await writeFile(`${folder}/${path}`, text)
  }
  const lines = (await oxlint(round.map(({ path }) => path))).split('\n')
  for (const { name, path } of round) said.set(name, lines.filter((line) => line.startsWith(`${path}:`)).join('\n'))
  for (const [n, { path }] of round.entries())
    await (originals[n] == null ? rm(`${folder}/${path}`) : writeFile(`${folder}/${path}`, originals[n]))
}

function oxlint(paths: readonly string[]): Promise<string> {
  const args = ['--type-aware', '--deny-warnings', '-f', 'unix', ...paths]
  return new Promise((resolve, reject) => {
    execFile(`${root}/node_modules/.bin/oxlint`, args, { cwd: folder }, (error, out) =>
      error === null || error.code === 1 ? resolve(out) : reject(error),
    )
  })
}

for (const [name, [, , because]] of Object.entries(refused))
  test(`the linter refuses: ${name}`, () => assert.match(said.get(name) ?? '', because))

for (const name of Object.keys(allowed)) test(`the linter allows: ${name}`, () => assert.equal(said.get(name), ''))

test('the linter refuses: an import circle', async () => {
  await writeFile(`${folder}/src/api/y.ts`, "import { x } from './x.ts'\nexport const y = (): unknown => x\n")
  await writeFile(`${folder}/src/api/x.ts`, "import { y } from './y.ts'\nexport const x = (): unknown => y\n")
  assert.match(await oxlint(['src/api/x.ts']), /cycle/)
})
