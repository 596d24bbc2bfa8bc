import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { Component, freePort } from '../control-plane/component.ts'
import { waitFor } from '../support/admin.ts'
import { skipUncontained } from '../support/container.ts'
import { Deployed } from '../support/deployed.ts'
import { skipWithoutKubectl } from '../support/kubectl.ts'
import { root } from '../support/shipped.ts'

const skip = skipWithoutKubectl === false ? skipUncontained : skipWithoutKubectl

/** What CI runs by itself, and the step that does so. */
const inCi: Readonly<Record<string, string>> = {
  'npm ci && npm run sandbox': 'npm run sandbox -- --for',
  'npm ci && npm test': 'npm test',
  'npm run image': 'npm run test:image',
}

let deployed: Deployed
const done = new Set<string>()

before(async () => {
  if (skip === false) deployed = await Deployed.start()
})
after(() => deployed?.[Symbol.asyncDispose]())

/** The lines of the `sh` blocks under a heading. */
async function commandsUnder(heading: string): Promise<readonly string[]> {
  const readme = await readFile(`${root}README.md`, 'utf8')
  const [, section = ''] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(readme) ?? []
  return commandsIn(section)
}

function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** Runs what stands under a heading, line by line, but for what CI runs. */
async function follow(heading: string): Promise<string> {
  const lines = (await commandsUnder(heading)).filter((line) => inCi[line] === undefined)
  assert.ok(lines.length > 0, heading)
  const outputs: string[] = []
  for (const line of lines) {
    outputs.push(await deployed.sh(line, 90_000))
    done.add(line)
  }
  return outputs.join('')
}

test('the README: install', { skip }, async () => {
  const said = await follow('Install')
  assert.match(said, /secondcronjobs\.myyrakle\.com created/)
  assert.match(said, /deployment "second-cron-job-operator" successfully rolled out/)
})

test('the README: the first SecondCronJob', { skip }, async () => {
  const said = await follow('Your first SecondCronJob')
  assert.match(said, /NAME +SCHEDULE +SUSPEND +ACTIVE +LAST +NEXT +READY +AGE/)
  assert.match(said, /job\.batch\/heartbeat-\d{10}/)
  await waitFor('the Event of the first Job', 10_000, async () => {
    const described = await deployed.sh('kubectl describe scj heartbeat')
    return /SuccessfulCreate +.*Created Job heartbeat-\d{10}, the first one/.test(described)
  })
  await follow('Run it now')
  await waitFor('the extra Job', 5_000, async () =>
    (await deployed.cluster.jobsOf('heartbeat')).some(({ metadata }) => metadata.name.startsWith('heartbeat-m')),
  )
  assert.match(await deployed.sh('kubectl explain scj.spec.intervalSeconds'), /Seconds between two runs/)
})

test('the examples: the oldest shape is accepted, the last one is refused on purpose', { skip }, async () => {
  await deployed.sh('kubectl apply -f deploy/examples/oldest-shape.yaml')
  const refused = /spec\.intervalSeconds: Invalid value: 0/
  await assert.rejects(deployed.sh('kubectl apply -f deploy/examples/refused.yaml'), refused)
})

test('the README: uninstall', { skip }, async () => {
  await follow('Uninstall')
  await deployed.isUninstalled()
  assert.deepEqual(await deployed.cluster.admin.list('/apis/batch/v1/namespaces/default/jobs'), [])
})

test('the README: a few namespaces only', { skip }, async () => {
  const said = await follow('Serve a few namespaces only')
  assert.match(said, /rolebinding\.rbac\.authorization\.k8s\.io\/second-cron-job-operator created/)
  assert.match(said, /deployment "second-cron-job-operator" successfully rolled out/)
  for (const namespace of ['default', 'team-b'])
    await deployed.sh(`kubectl -n ${namespace} apply -f deploy/examples/job-template.yaml`)
  await deployed.cluster.hasRun('heartbeat', 1, 'team-b')
  assert.deepEqual(await deployed.cluster.jobsOf('heartbeat'), [])
  await assert.rejects(deployed.sh('kubectl apply --dry-run=server -k deploy'), /roleRef/)
  await deployed.sh('kubectl delete clusterrolebinding second-cron-job-operator')
  await deployed.sh('kubectl apply -k deploy-namespaces')
})

test('the README: one of a few namespaces is deleted while the operator is down', { skip }, async () => {
  const scale = 'kubectl -n myyrakle scale deployment/second-cron-job-operator --replicas'
  await deployed.sh(`${scale}=0`)
  await waitFor('the operator to have ended', 20_000, async () => deployed.node.pods.length === 0)
  await deployed.sh('kubectl delete namespace team-b --wait=false')
  const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/team-b/rolebindings/second-cron-job-operator'
  await waitFor('the binding to be gone', 20_000, async () => (await deployed.cluster.admin.get(role)) === null)
  await deployed.sh(`${scale}=2`)
  await deployed.sh('kubectl -n myyrakle rollout status deployment/second-cron-job-operator --timeout=60s', 70_000)
  assert.notEqual(await deployed.cluster.get('heartbeat', 'team-b'), null)
  assert.match(await deployed.command('uninstall', '--yes', '--namespaces', 'team-b'), /off 1 SecondCronJobs/)
  await deployed.sh('kubectl wait --for=delete namespace/team-b --timeout=30s')
  await deployed.sh('kubectl delete scj --all --timeout=20s')
  await deployed.sh('kubectl delete -k deploy-namespaces --ignore-not-found --timeout=60s')
  await deployed.isUninstalled()
})

test('the README: outside of a cluster', { skip }, async () => {
  const [apply = '', start = '', ...others] = await commandsUnder('Run it outside of a cluster')
  assert.deepEqual([start, others], ['npm start', []])
  await deployed.sh(apply)
  const port = await freePort()
  const { kubeconfig, folder } = deployed.cluster.plane
  const env = { ...process.env, KUBECONFIG: kubeconfig, PORT: String(port) }
  const operator = new Component('npm-start', folder, ['npm', 'start', '--prefix', root], env)
  operator.start()
  await operator.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, 30_000)
  await deployed.sh('kubectl apply -f deploy/examples/job-template.yaml')
  await deployed.cluster.hasRun('heartbeat')
  assert.match(await deployed.sh('npm start --silent -- crd'), /^# Made from src\/api\/schema\.ts/)
  assert.match(await deployed.sh('npm start --silent -- crd --apply'), /secondcronjobs\.myyrakle\.com is applied/)
  assert.match(await deployed.sh('npm start --silent -- --help'), /--create-timeout-seconds +CREATE_TIMEOUT_SECONDS/)
  await deployed.sh('kubectl delete scj --all --timeout=20s')
  operator.signal('SIGTERM')
  await operator.end('SIGTERM')
  await waitFor('the operator to have ended', 15_000, async () => {
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null
  })
  for (const line of [apply, start]) done.add(line)
})

test('every command of the README is run: above, or by CI', { skip }, async () => {
  const left = commandsIn(await readFile(`${root}README.md`, 'utf8')).filter((line) => !done.has(line))
  assert.deepEqual(left.toSorted(), Object.keys(inCi).toSorted())
  const ci = await readFile(`${root}.ci/run`, 'utf8')
  for (const step of Object.values(inCi)) assert.ok(ci.includes(`step ${step}`), step)
})
