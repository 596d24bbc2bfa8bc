import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { EmbeddedServer } from '../../sandbox/server/server.ts'
import { Client } from '../contract/client.ts'
import { writeManifests } from '../contract/kubectl/manifests.ts'
import { runSteps, type Said } from '../contract/kubectl/run.ts'
import { steps } from '../contract/kubectl/steps.ts'
import { Cluster } from '../support/cluster.ts'
import { skipWithoutKubectl } from '../support/kubectl.ts'
import { manifests } from '../support/manifests.ts'

/** The same commands in the same order against both servers: exit code and output have to be the same. */

let folder: string
let onReal: readonly Said[]
let onEmbedded: readonly Said[]

before(async () => {
  if (skipWithoutKubectl !== false) return
  folder = await mkdtemp(`${tmpdir()}/kubectl-`)
  await writeManifests(folder)
  ;[onReal, onEmbedded] = await Promise.all([askReal(), askEmbedded()])
})
after(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true })
})

async function askReal(): Promise<readonly Said[]> {
  await using cluster = await Cluster.start({ first: await manifests('deploy/crd.yaml') })
  return await runSteps(steps, folder, cluster.plane.kubeconfig)
}

async function askEmbedded(): Promise<readonly Said[]> {
  const server = await EmbeddedServer.start()
  const client = new Client({ url: server.url, ca: undefined, token: 'admin' })
  for (const body of await manifests('deploy/crd.yaml'))
    await client.send('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { method: 'POST', body })
  const kubeconfig = `${folder}/embedded.kubeconfig`
  await writeFile(kubeconfig, server.kubeconfig())
  try {
    return await runSteps(steps, folder, kubeconfig)
  } finally {
    await client.close()
    await server.stop()
  }
}

describe('kubectl against both servers', { skip: skipWithoutKubectl }, () => {
  for (const [index, { args, differs }] of steps.entries())
    test(`${index + 1}: kubectl ${args.join(' ')}${differs === undefined ? '' : ` (${differs})`}`, () => {
      if (differs === undefined) assert.deepEqual(onEmbedded[index], onReal[index])
      else assert.notDeepEqual(onEmbedded[index], onReal[index])
    })
})
