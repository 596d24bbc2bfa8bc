import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

/** A copy of the source under the project's own rules, to break them in. */
before(async () => {
  folder = await mkdtemp(`${tmpdir()}/lint-`)
  for (const part of ['src', '.oxlintrc.json', 'package.json', 'tsconfig.json'])
    await cp(`${root}/${part}`, `${folder}/${part}`, { recursive: true })
  await symlink(`${root}/node_modules`, `${folder}/node_modules`)
})
after(() => rm(folder, { recursive: true, force: true }))

/** What the linter says of one more file with this text. */
async function lint(path: string, text: string): Promise<string> {
  const file = `${folder}/${path}`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  const said = await new Promise<string>((resolve) => {
    execFile(
      `${root}/node_modules/.bin/oxlint`,
      ['--deny-warnings', '-f', 'unix', path],
      { cwd: folder },
      (error, out) => resolve(error === null ? '' : out),
    )
  })
  await rm(file)
  return said
}

const use = (what: string, from: string) => `import { ${what} } from '${from}'\nexport const used = ${what}\n`
const useType = (what: string, from: string) => `import type { ${what} } from '${from}'\nexport type Used = ${what}\n`

const restricted = /import is restricted .*no-restricted-imports/

const refused: Record<string, { path: string; text: string; because: RegExp }> = {
  'schedule/ imports the contract': {
    path: 'src/schedule/x.ts',
    text: use('finalizer', '../api/names.ts'),
    because: restricted,
  },
  'schedule/ imports a package': {
    path: 'src/schedule/x.ts',
    text: use('z', 'zod'),
    because: restricted,
  },
  'schedule/ imports from node': {
    path: 'src/schedule/x.ts',
    text: use('join', 'node:path'),
    because: restricted,
  },
  'schedule/ reads the clock': {
    path: 'src/schedule/x.ts',
    text: 'export const now = () => Date.now()\n',
    because: /Unexpected use of 'Date'/,
  },
  'schedule/ sets a timer': {
    path: 'src/schedule/x.ts',
    text: 'export const wait = () => setTimeout(() => {}, 1)\n',
    because: /Unexpected use of 'setTimeout'/,
  },
  'api/ imports the controller': {
    path: 'src/api/x.ts',
    text: use('Scheduler', '../controller/scheduler.ts'),
    because: restricted,
  },
  'api/ imports the client': {
    path: 'src/api/x.ts',
    text: use('KubeConfig', '@kubernetes/client-node'),
    because: restricted,
  },
  'api/ imports the arithmetic of slots': {
    path: 'src/api/x.ts',
    text: use('latestSlot', '../schedule/slots.ts'),
    because: restricted,
  },
  'controller/ imports kube/': {
    path: 'src/controller/x.ts',
    text: use('Transport', '../kube/transport.ts'),
    because: restricted,
  },
  'controller/ imports http/': {
    path: 'src/controller/x.ts',
    text: use('verdictOf', '../http/health.ts'),
    because: restricted,
  },
  'controller/ imports the configuration': {
    path: 'src/controller/x.ts',
    text: useType('Config', '../config.ts'),
    because: restricted,
  },
  'controller/ imports fastify': {
    path: 'src/controller/x.ts',
    text: use('fastify', 'fastify'),
    because: restricted,
  },
  'controller/ imports undici': {
    path: 'src/controller/x.ts',
    text: use('Pool', 'undici'),
    because: restricted,
  },
  'controller/ reads the clock': {
    path: 'src/controller/x.ts',
    text: 'export const now = () => performance.now()\n',
    because: /Unexpected use of 'performance'/,
  },
  'kube/ imports the decision': {
    path: 'src/kube/x.ts',
    text: use('decide', '../schedule/decide.ts'),
    because: restricted,
  },
  'kube/ imports the controller': {
    path: 'src/kube/x.ts',
    text: use('Launcher', '../controller/launcher.ts'),
    because: restricted,
  },
  'kube/ imports http/': {
    path: 'src/kube/x.ts',
    text: use('buildServer', '../http/server.ts'),
    because: restricted,
  },
  'http/ imports kube/': {
    path: 'src/http/x.ts',
    text: use('Transport', '../kube/transport.ts'),
    because: restricted,
  },
  'kube/ imports the entry': { path: 'src/kube/x.ts', text: "import '../main.ts'\n", because: restricted },
  'the environment is read outside of the entry': {
    path: 'src/kube/x.ts',
    text: "export const home = process.env['HOME']\n",
    because: /Unexpected use of 'process'/,
  },
  'a file of 201 lines': {
    path: 'src/kube/x.ts',
    text: Array.from({ length: 201 }, (_, n) => `export const a${n} = ${n}\n`).join(''),
    because: /too many lines/,
  },
  'a function of 41 lines': {
    path: 'src/kube/x.ts',
    text: `export function long(): number {\n${'  void 0\n'.repeat(40)}  return 1\n}\n`,
    because: /too many lines \(4/,
  },
  'five parameters': {
    path: 'src/kube/x.ts',
    text: 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]\n',
    because: /too many parameters/,
  },
  'a default export': { path: 'src/kube/x.ts', text: 'export default 1\n', because: /no-default-export/ },
}

const allowed: Record<string, { path: string; text: string }> = {
  'schedule/ imports itself': { path: 'src/schedule/x.ts', text: use('latestSlot', './slots.ts') },
  'api/ imports zod': { path: 'src/api/x.ts', text: "import * as z from 'zod'\nexport const used = z\n" },
  'api/ imports the type of a time': { path: 'src/api/x.ts', text: useType('Instant', '../schedule/state.ts') },
  'controller/ imports what is below it': {
    path: 'src/controller/x.ts',
    text: use('decide', '../schedule/decide.ts') + useType('Clock', '../clock.ts').replace('Used', 'Also'),
  },
  'kube/ imports the ports': { path: 'src/kube/x.ts', text: useType('JobControl', '../controller/ports.ts') },
}

for (const [name, { path, text, because }] of Object.entries(refused))
  test(`the linter refuses: ${name}`, async () => assert.match(await lint(path, text), because))

for (const [name, { path, text }] of Object.entries(allowed))
  test(`the linter allows: ${name}`, async () => assert.equal(await lint(path, text), ''))

test('the linter refuses: an import circle', async () => {
  await writeFile(`${folder}/src/api/y.ts`, "import { x } from './x.ts'\nexport const y = (): unknown => x\n")
  assert.match(await lint('src/api/x.ts', "import { y } from './y.ts'\nexport const x = (): unknown => y\n"), /cycle/)
})
