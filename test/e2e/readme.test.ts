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

const readme = () => readFile(`${root}README.md`, 'utf8')

/** The lines of each `sh` block under a heading. */
async function blocksUnder(heading: string): Promise<readonly (readonly string[])[]> {
  const [, section = ''] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(await readme()) ?? []
  return blocksIn(section)
}

function blocksIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) => block.trim().split('\n'))
}

/** The `npm start …` between backticks in the middle of a sentence or a table. */
function inlineIn(text: string): readonly string[] {
  const prose = text.replaceAll(/```[^`]*```/g, '')
  return [...prose.matchAll(/`(npm start[^`]*)`/g)].map(([, line = '']) => line)
}

/** Runs what a sentence of the README says; `name` stands for its NAME, `more` is what a person would add or answer. */
async function say(line: string, { name = '', more = '' } = {}): Promise<string> {
  assert.ok(inlineIn(await readme()).includes(line), line)
  done.add(line)
  return deployed.sh(`${line.replace('NAME', name)} ${more}`)
}

/** Runs what stands under a heading, or in one block of it, line by line, but for what CI runs. */
async function follow(heading: string, block?: number): Promise<string> {
  const blocks = await blocksUnder(heading)
  const wanted = block === undefined ? blocks.flat() : (blocks[block] ?? [])
  const lines = wanted.filter((line) => inCi[line] === undefined)
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
  assert.match(await follow('Run it now'), /^heartbeat-\d{10} /m)
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

const few = 'Serve a few namespaces only'
const rollout = 'kubectl -n myyrakle rollout status deployment/second-cron-job-operator --timeout=60s'

test('the README: a few namespaces only', { skip }, async () => {
  const said = await follow(few, 0)
  assert.match(said, /rolebinding\.rbac\.authorization\.k8s\.io\/second-cron-job-operator created/)
  assert.match(said, /deployment "second-cron-job-operator" successfully rolled out/)
  for (const namespace of ['default', 'team-b'])
    await deployed.sh(`kubectl -n ${namespace} apply -f deploy/examples/job-template.yaml`)
  await deployed.cluster.hasRun('heartbeat', 1, 'team-b')
  assert.deepEqual(await deployed.cluster.jobsOf('heartbeat'), [])
})

test('the README: the way back, and over again; what is outside of the list is freed while the operator runs', {
  skip,
}, async () => {
  await assert.rejects(deployed.sh('kubectl apply --dry-run=server -k deploy'), /roleRef/)
  await follow(few, 2)
  await deployed.sh(rollout, 70_000)
  await deployed.cluster.hasRun('heartbeat', 1, 'default')
  await assert.rejects(deployed.sh('kubectl apply --dry-run=server -k deploy-namespaces'), /roleRef/)
  await follow(few, 1)
  await deployed.sh(rollout, 70_000)
  await assert.rejects(deployed.sh('kubectl delete scj heartbeat --timeout=5s'), /timed out/)
  const said = await say('npm start -- uninstall --namespaces NAME', { name: 'default', more: '--yes' })
  assert.match(said, /the finalizer is taken off 1 SecondCronJobs/)
  await deployed.cluster.isGone('heartbeat', 5_000)
  await deployed.cluster.hasRun('heartbeat', 2, 'team-b')
})

test('the README: one of a few namespaces is deleted while the operator is down', { skip }, async () => {
  const scale = 'kubectl -n myyrakle scale deployment/second-cron-job-operator --replicas'
  await deployed.sh(`${scale}=0`)
  await waitFor('the operator to have ended', 20_000, async () => deployed.node.pods.length === 0)
  await deployed.sh('kubectl delete namespace team-b --wait=false')
  const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/team-b/rolebindings/second-cron-job-operator'
  await waitFor('the binding to be gone', 20_000, async () => (await deployed.cluster.admin.get(role)) === null)
  await deployed.sh(`${scale}=2`)
  await deployed.sh(rollout, 70_000)
  assert.notEqual(await deployed.cluster.get('heartbeat', 'team-b'), null)
  const said = await say('npm start -- uninstall --namespaces NAME', { name: 'team-b', more: '--yes' })
  assert.match(said, /off 1 SecondCronJobs/)
  await deployed.sh('kubectl wait --for=delete namespace/team-b --timeout=30s')
  await deployed.sh('kubectl delete scj --all --timeout=20s')
  await deployed.sh('kubectl delete -k deploy-namespaces --ignore-not-found --timeout=60s')
  await deployed.isUninstalled()
})

/** An apply of the CRD said `unchanged`, and a moment later there was none. */
test('the README: all at once, then the CRD again: uninstall comes first', { skip }, async () => {
  await deployed.install()
  await deployed.sh('kubectl apply -f deploy/examples/job-template.yaml')
  await deployed.cluster.hasRun('heartbeat')
  await deployed.sh('kubectl -n myyrakle delete deployment second-cron-job-operator --timeout=30s')
  await waitFor('the operator to have ended', 20_000, async () => deployed.node.pods.length === 0)
  await deployed.sh('kubectl delete -k deploy --ignore-not-found --wait=false')
  // What has a namespace is refused, since that is going as well.
  const again = await deployed.sh('kubectl apply -k deploy 2>/dev/null || true')
  assert.match(again, /secondcronjobs\.myyrakle\.com unchanged/)
  assert.match(await say('npm start -- uninstall', { more: '--yes' }), /off 1 SecondCronJobs/)
  await deployed.isUninstalled()
  await deployed.sh('kubectl delete -k deploy --ignore-not-found')
})

test('the README: outside of a cluster', { skip }, async () => {
  const [apply = '', start = '', ...others] = (await blocksUnder('Run it outside of a cluster')).flat()
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
  assert.match(await say('npm start --silent -- crd'), /^# Made from src\/api\/schema\.ts/)
  const piped = await say('npm start --silent -- crd', { more: '| kubectl apply -f -' })
  assert.match(piped, /secondcronjobs\.myyrakle\.com (unchanged|configured)/)
  assert.match(await say('npm start -- crd --apply'), /secondcronjobs\.myyrakle\.com is applied/)
  assert.match(await say('npm start -- --help'), /--create-timeout-seconds +CREATE_TIMEOUT_SECONDS/)
  await deployed.sh('kubectl delete scj --all --timeout=20s')
  operator.signal('SIGTERM')
  await operator.end('SIGTERM')
  await waitFor('the operator to have ended', 15_000, async () => {
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null
  })
  for (const line of [apply, start]) done.add(line)
})

test('every command of the README is run: above, or by CI', { skip }, async () => {
  const text = await readme()
  const left = [...blocksIn(text).flat(), ...inlineIn(text)].filter((line) => !done.has(line))
  assert.deepEqual(left.toSorted(), Object.keys(inCi).toSorted())
  const ci = await readFile(`${root}.ci/run`, 'utf8')
  for (const step of Object.values(inCi)) assert.ok(ci.includes(`step ${step}`), step)
})
