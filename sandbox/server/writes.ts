import { admit } from './admission.ts'
import { type Api, finalizerOf, type Propagation } from './api.ts'
import { fromStored, toStored } from './events.ts'
import { Failure, invalid, notImplemented, refused } from './failure.ts'
import { asFields, type Fields, type KubeObject, type Metadata, textAt } from './objects.ts'
import { patchOf } from './patches.ts'
import { type ApiRequest, checkQuery, isDryRun, parseBody } from './request.ts'
import { cause, unsupported, wrong } from './schema.ts'
import { apiVersionOf, definitions, jobs, namespaces } from './types.ts'

/** Create, update, patch and delete, as a client asks for them; objects are as they are stored. All throw Failure. */
export function create(api: Api, request: ApiRequest): KubeObject {
  const { type, namespace } = request
  const sent = decoded(request, parseBody(request))
  const name = textAt(sent, 'metadata.name')
  if (name + textAt(sent, 'metadata.generateName') === '')
    throw invalid(type, '', [cause('Required', 'metadata.name', 'Required value: name or generateName is required')])
  if (textAt(sent, 'metadata.resourceVersion') !== '')
    throw new Failure(400, 'resourceVersion should not be set on objects to be created')
  checkNamespace(api, request, name)
  if (api.store.get(definitions, undefined, type.collection)?.metadata.deletionTimestamp !== undefined)
    throw refused('Forbidden', { type, name }, 'create not allowed while custom resource definition is terminating')
  const metadata = type.namespaced ? { ...sent.metadata, namespace } : sent.metadata
  const stamped = api.stamped(type, { ...sent, metadata })
  if (type.hasStatus && type.isCustom) delete stamped.status
  const object = admit(request, stamped, null)
  if (api.store.get(type, metadata.namespace, object.metadata.name) !== undefined)
    throw refused('AlreadyExists', { type, name: object.metadata.name })
  return isDryRun(request) ? object : api.store.put(type, object)
}

export function update(api: Api, request: ApiRequest): KubeObject {
  const before = find(api, request)
  return replace(api, request, before, decoded(request, parseBody(request)))
}

export function patch(api: Api, request: ApiRequest): KubeObject {
  const patched = patchOf(request)
  const before = find(api, request)
  return replace(api, request, before, decoded(request, patched(fromStored(request.type, before))))
}

/** Answers what is left of it, or that it is gone. */
export function remove(api: Api, request: ApiRequest): Fields {
  const { type, name, subresource } = request
  if (subresource !== '') throw new Failure(405, `delete is not supported on ${subresource}`)
  if (name === '') throw notImplemented('deletion of a whole collection')
  const object = find(api, request)
  const { uid, resourceVersion } = object.metadata
  const { dryRun, ...options } = deleteOptionsOf(request)
  const wanted = asFields(options['preconditions'])
  precondition(request, ['UID', textAt(wanted, 'uid'), uid])
  precondition(request, ['ResourceVersion', textAt(wanted, 'resourceVersion'), resourceVersion])
  const propagation = propagationOf(request, options, object)
  if (!dryRun) api.delete({ type, object }, propagation)
  const left = api.store.get(type, object.metadata.namespace, name)
  if (left !== undefined) return fromStored(type, left)
  const details = { name, group: type.group, kind: type.plural, uid }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

export function find(api: Api, request: ApiRequest): KubeObject {
  const object = api.store.get(request.type, request.namespace, request.name)
  if (object === undefined) throw refused('NotFound', request)
  return object
}

function replace(api: Api, request: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
  const { type, name, subresource } = request
  const after = subresource === 'status' ? { ...before, status: sent.status } : edited(request, before, sent)
  const version = textAt(sent, 'metadata.resourceVersion')
  if (version === '' && !['', 'batch', 'apps'].includes(type.group))
    throw invalid(type, name, [wrong('metadata.resourceVersion', 0, 'must be specified for an update')])
  if (version !== '' && version !== before.metadata.resourceVersion) throw refused('Conflict', request, modified)
  return api.replace({ type, object: before }, admit(request, after, before), isDryRun(request))
}

function checkNamespace({ store }: Api, { type, namespace }: ApiRequest, name: string): void {
  if (!type.namespaced) return
  const object = store.get(namespaces, undefined, namespace)
  if (object === undefined) throw refused('NotFound', { type: namespaces, name: namespace })
  if (object.metadata.deletionTimestamp === undefined) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const going = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated` }
  throw refused('Forbidden', { type, name }, why, [going])
}

/** Of the query and the body, where a dry run is asked for by a list. */
function deleteOptionsOf(request: ApiRequest): Fields & { readonly dryRun: boolean } {
  const { query, body } = request
  const { dryRun = query.getAll('dryRun'), ...options } = body === '' ? {} : parseBody(request)
  if ('orphanDependents' in options || query.has('orphanDependents')) throw notImplemented('orphanDependents')
  if (!Array.isArray(dryRun)) throw new Failure(400, 'dryRun of DeleteOptions is a list')
  checkQuery('delete', new URLSearchParams(dryRun.map((each): [string, string] => ['dryRun', String(each)])))
  return { ...Object.fromEntries(query), ...options, dryRun: dryRun.length > 0 }
}

const deleteOptions = { kind: 'DeleteOptions', group: 'meta.k8s.io' }
const modified = 'the object has been modified; please apply your changes to the latest version and try again'

/** As it goes already; a Job is the one type whose dependents stay when nothing else is said. */
function propagationOf({ type }: ApiRequest, options: Fields, { metadata }: KubeObject): Propagation {
  const kinds = Object.keys(finalizerOf) as Propagation[]
  const begun = kinds.find((kind) => metadata.finalizers?.includes(finalizerOf[kind] ?? ''))
  const { propagationPolicy = begun ?? (type === jobs ? 'Orphan' : 'Background') } = options
  const known = kinds.find((kind) => kind === propagationPolicy)
  if (known !== undefined) return known
  throw invalid(deleteOptions, '', [unsupported('propagationPolicy', propagationPolicy, kinds)])
}

function precondition(request: ApiRequest, [what, wanted, found]: readonly [string, string, string]): void {
  const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
  if (wanted !== '' && wanted !== found) throw refused('Conflict', request, why)
}

const fixed = new Set(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'generation'])
for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds']) fixed.add(field)

/** What the client may not change stays as it was. */
function edited(request: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
  const { type, name } = request
  const kept = Object.fromEntries(Array.from(fixed, (field) => [field, before.metadata[field as keyof Metadata]]))
  const metadata: Metadata = { ...sent.metadata, ...kept }
  const { finalizers = [] } = before.metadata
  const sentFinalizers: readonly string[] = Array.isArray(metadata.finalizers) ? metadata.finalizers : []
  const added = JSON.stringify(sentFinalizers.filter((finalizer) => !finalizers.includes(finalizer)))
  const late = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.slice(1, -1)}}`
  if (metadata.deletionTimestamp !== undefined && added !== '[]')
    throw invalid(type, name, [cause('Forbidden', 'metadata.finalizers', late)])
  return { ...sent, ...(type.hasStatus ? { status: before.status } : {}), metadata }
}

function misnamed(own: string, name: string): string {
  if (own !== '') return `the name of the object (${own}) does not match the name on the URL (${name})`
  return `the name of the object (${name} based on URL) was undeterminable: name must be provided`
}

/** The object of a body that is what the path is about. */
function decoded({ type, namespace, name }: ApiRequest, body: Fields): KubeObject {
  const apiVersion = apiVersionOf(type)
  const sent: Fields = { apiVersion, kind: type.kind, ...body, metadata: asFields(body['metadata']) }
  const [ownName, ownNamespace] = [textAt(sent, 'metadata.name'), textAt(sent, 'metadata.namespace')]
  if (sent['apiVersion'] !== apiVersion || sent['kind'] !== type.kind)
    throw new Failure(400, `this is no ${apiVersion} ${type.kind}, which the path is about`)
  if ((ownNamespace || namespace) !== namespace)
    throw new Failure(400, 'the namespace of the provided object does not match the namespace sent on the request')
  if (name !== '' && ownName !== name) throw new Failure(400, misnamed(ownName, name))
  return toStored(type, sent as unknown as KubeObject)
}
