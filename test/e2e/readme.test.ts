import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Component, freePort } from '../control-plane/component.ts'
import { waitFor } from '../support/admin.ts'
import { Cluster } from '../support/cluster.ts'
import { skipWithoutKubectl } from '../support/kubectl.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let cluster: Cluster
before(async () => {
  // Without the CRD: applying it is what the README begins with.
  cluster = await Cluster.start({ first: [] })
})
after(() => cluster[Symbol.asyncDispose]())

/** A line of the README, with the kubeconfig of the test. */
async function shell(line: string, env: Record<string, string> = {}): Promise<string> {
  const all = { ...process.env, KUBECONFIG: cluster.plane.kubeconfig, ...env }
  const { stdout } = await run('bash', ['-c', line], { cwd: root, env: all, timeout: 60_000 })
  return stdout
}

test('the README: apply the CRD, start the operator, apply the examples, look', {
  skip: skipWithoutKubectl,
}, async () => {
  assert.match(await shell('kubectl apply -f deploy/crd.yaml'), /secondcronjobs\.myyrakle\.com created/)
  const port = await freePort()
  const env = { ...process.env, KUBECONFIG: cluster.plane.kubeconfig, PORT: String(port) }
  const operator = new Component('npm-start', cluster.plane.folder, ['npm', 'start', '--prefix', root], env)
  operator.start()
  await operator.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, 30_000)
  await shell('kubectl apply -f deploy/examples/job-template.yaml -f deploy/examples/oldest-shape.yaml')
  await assert.rejects(
    shell('kubectl apply -f deploy/examples/refused.yaml'),
    /spec\.intervalSeconds: Invalid value: 0/,
  )
  await waitFor('both to run', 15_000, async () => {
    const lines = (await shell('kubectl get scj --no-headers')).trim().split('\n')
    return lines.length === 2 && lines.every((line) => / True /.test(line))
  })
  assert.match(await shell('kubectl get scj'), /NAME +SCHEDULE +SUSPEND +ACTIVE +LAST +NEXT +READY +AGE/)
  await waitFor('the Event of the first Job', 10_000, async () => {
    return /SuccessfulCreate +.*Created Job heartbeat-\d{10}, the first one/.test(
      await shell('kubectl describe scj heartbeat'),
    )
  })
  assert.match(await shell('kubectl explain scj.spec.intervalSeconds'), /Seconds between two runs/)
  await shell('kubectl delete scj --all --timeout=20s')
  process.kill(-(operator.pid ?? Number.NaN), 'SIGTERM')
  await operator.end('SIGTERM')
})

test('every command of the README is run somewhere', async () => {
  const readme = await readFile(`${root}/README.md`, 'utf8')
  const blocks = [...readme.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
  const here = new Set(['kubectl apply -f deploy/crd.yaml', 'npm start'])
  const inCi = new Set(['npm ci && npm run sandbox', 'npm ci && npm test'])
  assert.deepEqual(
    blocks.filter((line) => !here.has(line) && !inCi.has(line)),
    [],
  )
  const ci = await readFile(`${root}/.ci/run`, 'utf8')
  for (const step of ['npm ci', 'npm test', 'npm run test:cluster', 'npm run sandbox -- --for'])
    assert.ok(ci.includes(step), step)
})
