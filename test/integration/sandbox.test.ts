import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const sandbox = fileURLToPath(new URL('../../sandbox/sandbox.ts', import.meta.url))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [sandbox, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}

test('the sandbox: wrong flags are one sentence and exit code 2', () => {
  const stderr = '--for is "x"; write a number of seconds or minutes below 10000, such as 20s or 2m\n'
  assert.deepEqual(run('--for', 'x'), { status: 2, stdout: '', stderr })
})

test('the sandbox: --help prints how to use it', () => {
  const { status, stdout, stderr } = run('--help')
  assert.match(stdout, /^npm run sandbox -- \[--for 20s\]\n/)
  assert.deepEqual([status, stderr], [0, ''])
})
