import { admit } from './admission.ts'
import { fromStored, toStored } from './events.ts'
import { alreadyExists, badRequest, conflict, invalid, namespaceGoing, notFound, notImplemented } from './failure.ts'
import type { Api, Propagation } from './api.ts'
import { asFields, type Fields, type KubeObject, type Metadata, randomSuffix, textAt } from './objects.ts'
import { patched } from './patches.ts'
import { type ApiRequest, parseBody } from './request.ts'
import { wrong } from './schema.ts'
import { apiVersionOf, jobs, namespaces, type ResourceType } from './types.ts'

/** Create, update, patch and delete, as a client asks for them. All throw Failure. */
export class Writes {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  create(request: ApiRequest): KubeObject {
    const { type, namespace } = request
    const { metadata: given, ...rest } = decoded(request, parseBody(request))
    const name = given.name ?? generated(type, given)
    if (given.resourceVersion !== undefined)
      throw badRequest('resourceVersion should not be set on objects to be created')
    const metadata = { ...given, name, ...(type.namespaced ? { namespace } : {}) }
    if (type.namespaced) this.#checkNamespace(type, namespace, name)
    const stamped = this.#api.stamped(type, { ...rest, metadata })
    if (type.hasStatus && type.isCustom) delete stamped.status
    const object = toStored(type, admit(request, stamped, null))
    if (this.#api.store.get(type.collection, metadata.namespace, name) !== undefined) throw alreadyExists(type, name)
    return fromStored(type, isDryRun(request) ? object : this.#api.create(type, object))
  }

  update(request: ApiRequest): KubeObject {
    const { type, name } = request
    const before = this.find(request)
    const sent = decoded(request, parseBody(request))
    const isUnconditional = ['', 'batch', 'apps'].includes(type.group)
    if (sent.metadata.resourceVersion === undefined && !isUnconditional)
      throw invalid(type, name, [wrong('metadata.resourceVersion', 0, 'must be specified for an update')])
    return this.#replace(request, before, sent)
  }

  patch(request: ApiRequest): KubeObject {
    const before = this.find(request)
    return this.#replace(request, before, decoded(request, patched(request, before)))
  }

  /** Answers what is left of it, or that it is gone. */
  delete(request: ApiRequest): Fields {
    const { type, name, query } = request
    if (name === '') throw notImplemented('deletion of a whole collection')
    const object = this.find(request)
    const options = { ...Object.fromEntries(query), ...(request.body === '' ? {} : parseBody(request)) }
    const wanted = asFields(options['preconditions'])
    precondition(request, ['UID', textAt(wanted, 'uid'), object.metadata.uid])
    precondition(request, ['ResourceVersion', textAt(wanted, 'resourceVersion'), object.metadata.resourceVersion])
    if (type === jobs && options['propagationPolicy'] === undefined) request.warnings.push(preserved)
    if (options['dryRun'] !== undefined) return object
    const left = this.#api.delete(type, toStored(type, object), propagationOf(type, options))
    const details = { name, group: type.group, kind: type.plural, uid: object.metadata.uid }
    return left ?? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  }

  /** In the form of the group that was asked. */
  find({ type, namespace, name }: ApiRequest): KubeObject {
    const object = this.#api.store.get(type.collection, namespace, name)
    if (object === undefined) throw notFound(type, name)
    return fromStored(type, object)
  }

  #replace(request: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
    const { type, name, subresource } = request
    const { status: _status, ...rest } = before
    const reported = sent.status === undefined ? rest : { ...rest, status: sent.status }
    const after = subresource === 'status' ? (reported as KubeObject) : edited(request, before, sent)
    const { resourceVersion } = sent.metadata as Partial<Metadata>
    if (resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion)
      throw conflict(type, name, modified)
    const admitted = toStored(type, admit(request, after, before))
    return fromStored(type, this.#api.replace(type, toStored(type, before), admitted, isDryRun(request)))
  }

  #checkNamespace(type: ResourceType, namespace: string, name: string): void {
    const object = this.#api.store.get(namespaces.collection, undefined, namespace)
    if (object === undefined) throw notFound(namespaces, namespace)
    if (object.metadata.deletionTimestamp !== undefined) throw namespaceGoing(type, name, namespace)
  }
}

const preserved =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'
const modified = 'the object has been modified; please apply your changes to the latest version and try again'

export function isDryRun({ query }: Pick<ApiRequest, 'query'>): boolean {
  return query.get('dryRun') === 'All'
}

const propagations: readonly Propagation[] = ['Background', 'Foreground', 'Orphan']

/** A Job is the one type whose dependents stay when nothing else is said. */
function propagationOf(type: ResourceType, { propagationPolicy, orphanDependents }: Fields): Propagation {
  if (orphanDependents === true) return 'Orphan'
  const known = propagations.find((propagation) => propagation === propagationPolicy)
  if (propagationPolicy !== undefined && known === undefined) throw badRequest('propagationPolicy is none of the three')
  return known ?? (type === jobs ? 'Orphan' : 'Background')
}

function precondition({ type, name }: ApiRequest, [what, wanted, found]: readonly [string, string, string]): void {
  if (wanted === '' || wanted === found) return
  const became = what === 'UID' ? 'deleted and then recreated' : 'modified'
  const why = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found})`
  throw conflict(type, name, `${why}. The object might have been ${became}`)
}

const fixed = new Set(['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'generation'])
for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds']) fixed.add(field)

function generated(type: ResourceType, { generateName = '' }: Metadata): string {
  if (generateName !== '') return generateName + randomSuffix()
  const message = 'Required value: name or generateName is required'
  throw invalid(type, '', [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }])
}

function checkUid({ type, name, verb }: ApiRequest, sent: string, uid: string): void {
  if (sent === uid) return
  if (verb === 'patch') throw invalid(type, name, [wrong('metadata.uid', sent, 'field is immutable')])
  throw conflict(type, name, `Precondition failed: UID in precondition: ${sent}, UID in object meta: ${uid}`)
}

/** What the client may not change stays as it was. */
function edited(request: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
  const { type, name } = request
  checkUid(request, (sent.metadata as Partial<Metadata>).uid ?? before.metadata.uid, before.metadata.uid)
  const free = Object.entries(sent.metadata).filter(([key]) => !fixed.has(key))
  const kept = Object.entries(before.metadata).filter(([key]) => fixed.has(key))
  const metadata = Object.fromEntries([...free, ...kept]) as unknown as Metadata
  const { finalizers = [] } = before.metadata
  const sentFinalizers: readonly string[] = Array.isArray(metadata.finalizers) ? metadata.finalizers : []
  const added = JSON.stringify(sentFinalizers.filter((finalizer) => !finalizers.includes(finalizer)))
  if (metadata.deletionTimestamp !== undefined && added !== '[]') {
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.slice(1, -1)}}`
    throw invalid(type, name, [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }])
  }
  const { status: _status, ...rest } = sent
  const status = before.status === undefined ? {} : { status: before.status }
  return { ...(type.hasStatus ? { ...rest, ...status } : sent), metadata }
}

/** The object of a body that is what the path is about. */
function decoded({ type, namespace, name }: ApiRequest, body: Fields): KubeObject {
  const sent = { apiVersion: apiVersionOf(type), kind: type.kind, ...body, metadata: asFields(body['metadata']) }
  checkKind(type, sent)
  const { metadata } = sent
  if ((metadata['namespace'] ?? namespace) !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (name !== '' && (metadata['name'] ?? name) !== name)
    throw badRequest(
      `the name of the object (${textAt(metadata, 'name')}) does not match the name on the URL (${name})`,
    )
  return sent as unknown as KubeObject
}

function checkKind(type: ResourceType, { apiVersion, kind, metadata }: Fields): void {
  if (kind !== type.kind && type.isCustom)
    throw invalid(type, textAt(metadata, 'name'), [wrong('kind', kind, `must be ${type.kind}`)])
  if (apiVersion !== apiVersionOf(type) || kind !== type.kind)
    throw badRequest(`this is no ${apiVersionOf(type)} ${type.kind}, which the path is about`)
}
