import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { Role, Rule, Thing } from '../manifests/objects.ts'
import { ofKind } from '../manifests/objects.ts'
import type { AuditRecord } from './audit.ts'
import { account, operatorUser } from './service-account.ts'
import { root } from './shipped.ts'

/** What the operator has asked for in the clusters of a run, for the comparison at its end; emptied before the next run. */
const folder = `${root}coverage/rights`

/** What somebody asked for. */
export interface Asked {
  readonly right: string
  /** Empty when it was asked for all namespaces. */
  readonly namespace: string
  /** Empty where no object was named; `severalNames` when more than one was. */
  readonly name: string
}

/** What a rule grants: an absent namespace or name is every one. */
interface Grant {
  readonly right: string
  readonly namespace: string | undefined
  readonly name: string | undefined
}

const severalNames = '*'

/**
 * Asked for by nobody, but looked at by the API server when a Job names its blocking owner and the admission plugin
 * OwnerReferencesPermissionEnforcement is on, as it is in the end-to-end tests.
 */
const lookedAt = 'update myyrakle.com/secondcronjobs/finalizers'

/** `patch myyrakle.com/secondcronjobs/status` */
export function rightOf(verb: string, group: string, resource: string, subresource = ''): string {
  return `${verb} ${[group, resource, subresource].filter((part) => part !== '').join('/')}`
}

/**
 * Notes what the operator's service account has asked for, whatever the answer was. A namespace that `isOwn` stands for
 * the operator's own: there is a copy of its Role in it.
 */
export async function noteRights(
  records: readonly AuditRecord[],
  isOwn: (namespace: string) => boolean,
): Promise<void> {
  const own = records
    .filter(({ user, resource }) => user === operatorUser && resource !== '')
    .map((record) => (isOwn(record.namespace) ? { ...record, namespace: account.namespace } : record))
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/${randomUUID()}.json`, JSON.stringify(asked(own)))
}

export async function notedRights(): Promise<readonly Asked[]> {
  const files = await readdir(folder).catch(() => [])
  const lists = files.map(async (file) => JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Asked[])
  return merged((await Promise.all(lists)).flat())
}

/** The same once each, and with one entry for all names of a namespace. */
export function asked(records: readonly AuditRecord[]): readonly Asked[] {
  return merged(
    records.map(({ verb, group, resource, subresource, namespace, name }) => ({
      right: rightOf(verb, group, resource, subresource),
      namespace,
      // A create names its object in the body, which no rule can look at.
      name: verb === 'create' ? '' : name,
    })),
  )
}

function merged(all: readonly Asked[]): readonly Asked[] {
  const found = new Map<string, Asked>()
  for (const one of all) {
    const key = `${one.right} ${one.namespace}`
    const name = (found.get(key) ?? one).name === one.name ? one.name : severalNames
    found.set(key, { ...one, name })
  }
  return [...found.values()]
}

/** Where what the roles grant differs from what was asked for, a sentence each: nothing more, nothing less, nowhere else. */
export function differences(objects: readonly Thing[], all: readonly Asked[]): readonly string[] {
  const roles: readonly Role[] = [...ofKind(objects, 'ClusterRole'), ...ofKind(objects, 'Role')]
  const grants = roles.flatMap((role) => role.rules.flatMap((rule) => expand(role, rule)))
  const refused = all.filter((one) => !grants.some((grant) => covers(grant, one)))
  return [
    ...refused.map(({ right, namespace, name }) => `${right} is asked for, but not granted: ${namespace}/${name}`),
    ...grants.flatMap((grant) =>
      excessOf(
        grant,
        all.filter((one) => covers(grant, one)),
      ),
    ),
    ...twice(grants).map((text) => `${text} is granted twice`),
  ]
}

function covers({ right, namespace, name }: Grant, one: Asked): boolean {
  const isThere = namespace === undefined || namespace === one.namespace
  return right === one.right && isThere && (name === undefined || name === one.name)
}

function excessOf({ right, namespace, name }: Grant, uses: readonly Asked[]): readonly string[] {
  if (right === lookedAt) return []
  const [first] = uses
  if (first === undefined) return [`${right} is granted, but not asked for`]
  // Elsewhere namespaces and names are the users', and the tests' choice says nothing of what they will be.
  if (uses.some((one) => one.namespace !== account.namespace)) return []
  const isOneName = uses.every((one) => one.name === first.name) && !['', severalNames].includes(first.name)
  return [
    ...(namespace === undefined ? [`${right} is granted in every namespace, but asked for in its own alone`] : []),
    ...(name === undefined && isOneName
      ? [`${right} is granted for every name, but asked for ${first.name} alone`]
      : []),
  ]
}

function twice(grants: readonly Grant[]): readonly string[] {
  const texts = grants.map(({ right, namespace = 'everywhere', name = '' }) => `${right} ${namespace} ${name}`)
  return texts.filter((text, at) => texts.indexOf(text) !== at)
}

function expand({ kind, metadata }: Role, { apiGroups, resources, verbs, resourceNames }: Rule): readonly Grant[] {
  const namespace = kind === 'Role' ? metadata.namespace : undefined
  const rights = apiGroups.flatMap((group) =>
    resources.flatMap((full) => {
      const [resource = '', subresource = ''] = full.split('/')
      return verbs.map((verb) => rightOf(verb, group, resource, subresource))
    }),
  )
  const names = resourceNames === undefined || resourceNames.length === 0 ? [undefined] : resourceNames
  return rights.flatMap((right) => names.map((name) => ({ right, namespace, name })))
}
