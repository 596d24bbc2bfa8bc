import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { UsageError } from './arguments.ts'
import type { Ground } from './ground.ts'
import { asFields, isFields } from './server/objects.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name?: string
    readonly namespace?: string
    readonly resourceVersion?: string
    readonly uid?: string
  }
  /** Of a List. */
  readonly items?: readonly unknown[]
}

/** What a manifest file holds, as it stands. Throws UsageError: the file, and what is wrong with it. */
export async function readManifests(path: string): Promise<readonly Manifest[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`${path} can't be read (${error.message}); write --file and the path of a manifest`)
  })
  return parseAllDocuments(text).flatMap((document, index) => {
    const [error] = document.errors
    if (error !== undefined) throw new UsageError(`${path} is not YAML: ${error.message}`)
    return manifestsIn(document.toJS(), `${path}, document ${index + 1}`)
  })
}

/** Those of a List as well, as `kubectl get -o yaml` prints it, and without what the API server has written. */
function manifestsIn(written: unknown, where: string): readonly Manifest[] {
  if (written === null) return []
  const manifest = asFields(written) as Partial<Manifest>
  const { apiVersion, kind, metadata, items } = manifest
  if (kind?.endsWith('List') === true && Array.isArray(items))
    return items.flatMap((item, index) => manifestsIn(item, `${where}, item ${index + 1}`))
  if (apiVersion === undefined || kind === undefined || !isFields(metadata))
    throw new UsageError(`${where}: write apiVersion, kind and metadata, as for kubectl`)
  const { resourceVersion: _version, uid: _uid, ...own } = metadata
  return [{ ...manifest, apiVersion, kind, metadata: own }]
}

function isNamespace({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && kind === 'Namespace'
}

/** Namespaces first, with those that the others are in and nobody makes: `kubectl get -A -o yaml` prints none. */
async function withNamespaces(
  ground: Ground,
  manifests: readonly Manifest[],
  say: (line: string) => void,
): Promise<readonly Manifest[]> {
  const { items } = (await ground.request('GET', '/api/v1/namespaces')) as { items: readonly Manifest[] }
  const there = new Set(items.map(({ metadata }) => metadata.name))
  const [written, others] = [manifests.filter(isNamespace), manifests.filter((each) => !isNamespace(each))]
  const isThere = ({ metadata: { name } }: Manifest) => there.has(name)
  for (const { metadata } of written.filter(isThere)) say(`namespace ${metadata.name} is there already`)
  const made = new Set([...there, ...written.map(({ metadata }) => metadata.name)])
  const lacking = [...new Set(others.map(({ metadata }) => metadata.namespace ?? 'default'))].filter(
    (name) => !made.has(name),
  )
  for (const name of lacking) say(`namespace ${name} is not there, and in no manifest: it is created`)
  const added = lacking.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  return [...added, ...written.filter((each) => !isThere(each)), ...others]
}

/**
 * Creates them, as strictly as kubectl does. What the API server refuses is told in one line each, and keeps none of the
 * others from being created. Whether all of them were. Namespaces that are lacking are created before, a line each.
 */
export async function create(
  ground: Ground,
  manifests: readonly Manifest[],
  say: (line: string) => void,
): Promise<boolean> {
  let isAll = true
  for (const manifest of await withNamespaces(ground, manifests, say)) {
    try {
      await ground.request('POST', `${await collectionOf(ground, manifest)}?fieldValidation=Strict`, manifest)
    } catch (error) {
      say(`${manifest.kind} ${manifest.metadata.name ?? ''} is refused: ${(error as Error).message}`)
      isAll = false
    }
  }
  return isAll
}

/** The path to create it at: what the API server says about its kind. */
async function collectionOf(ground: Ground, { apiVersion, kind, metadata }: Manifest): Promise<string> {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const { resources } = (await ground.request('GET', group)) as {
    resources: readonly { name: string; kind: string; namespaced: boolean }[]
  }
  const found = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'))
  if (found === undefined) throw new Error(`${apiVersion} has no kind ${kind}`)
  return `${group}${found.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : ''}/${found.name}`
}
