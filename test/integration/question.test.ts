import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { finalizer } from '../../src/api/names.ts'
import { page, ScriptedApiServer } from '../support/scripted-api-server.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const skip = spawnSync('script', ['--version']).error === undefined ? false : 'a terminal needs script(1)'

/** What uninstall says at a terminal on which these keys are pressed when it has asked. */
function atTerminal(kubeconfig: string, keys: string): Promise<string> {
  const command = `${process.execPath} ${main} uninstall --kubeconfig ${kubeconfig}; echo "exit code $?"`
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: 'dumb' } })
  return new Promise((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      const wasAsked = text.includes('[yes/no]')
      text += chunk.toString('utf8')
      if (!wasAsked && text.includes('[yes/no]')) child.stdin.write(keys)
    })
    child.on('close', () => resolve(text))
  })
}

/** Both ended in the stack trace of an AbortError. */
for (const [name, keys] of Object.entries({ 'Ctrl-C': '\u0003', 'Ctrl-D': '\u0004', no: 'no\n' }))
  test(`uninstall asks, and ${name} is no: nothing is changed, and there is no stack trace`, { skip }, async () => {
    const server = await ScriptedApiServer.start()
    const folder = await mkdtemp(`${tmpdir()}/question-`)
    const config = {
      clusters: [{ name: 'c', cluster: { server: server.url.href } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: {} }],
      'current-context': 'x',
    }
    await writeFile(`${folder}/config`, JSON.stringify(config))
    const metadata = { uid: 'u', namespace: 'default', name: 'kept', resourceVersion: '1', finalizers: [finalizer] }
    server.expect(page([{ metadata, spec: {} }], { resourceVersion: '9' }))
    const said = await atTerminal(`${folder}/config`, keys)
    await rm(folder, { recursive: true })
    await server.end()
    assert.match(said, /nothing was changed\s+exit code 1\s+$/)
    assert.doesNotMatch(said, /AbortError/)
  })
