import { admit } from './admission.ts'
import { fromStored, toStored } from './event-forms.ts'
import { alreadyExists, badRequest, type Cause, conflict, forbidden, invalid, notFound } from './failure.ts'
import { type Api, Mutations, type Propagation } from './mutations.ts'
import { asFields, type Fields, type KubeObject, randomSuffix } from './objects.ts'
import { patched } from './patches.ts'
import { type ApiRequest, deleteOptions, parseBody } from './request.ts'
import { selectorOf } from './selectors.ts'
import { jobs, namespaces, type ResourceType } from './types.ts'

/** Create, update, patch and delete, as a client asks for them. All throw Failure. */
export class Writes {
  readonly #api: Api
  readonly #mutations: Mutations

  constructor(api: Api, mutations: Mutations) {
    this.#api = api
    this.#mutations = mutations
  }

  create(request: ApiRequest): KubeObject {
    const { type, namespace } = request
    const sent = decoded(request, parseBody(request))
    const { generateName = '', ...given } = asFields(sent.metadata) as Partial<KubeObject['metadata']>
    const name = given.name ?? (generateName === '' ? '' : generateName + randomSuffix())
    if (name === '') throw invalid(type, '', [required('metadata.name', 'name or generateName is required')])
    const place = type.namespaced ? { namespace } : {}
    const metadata = { ...given, ...(generateName === '' ? {} : { generateName }), name, ...place }
    if (type.namespaced) this.#checkNamespace(type, namespace, name)
    const stamped = this.#mutations.stamped(type, { ...sent, metadata } as KubeObject)
    if (type.hasStatus && type.isCustom) delete stamped.status
    const object = toStored(type, admit(request, stamped, null))
    if (this.#api.store.get(type.collection, metadata.namespace, name) !== undefined) throw alreadyExists(type, name)
    return fromStored(type, isDryRun(request) ? object : this.#mutations.create(type, object))
  }

  update(request: ApiRequest): KubeObject {
    const before = this.find(request)
    const sent = decoded(request, parseBody(request))
    if (sent.metadata.resourceVersion === undefined && !isUnconditional(request.type))
      throw invalid(request.type, request.name, [mustBeSpecified])
    return this.#replace(request, before, sent)
  }

  patch(request: ApiRequest): KubeObject {
    const before = this.find(request)
    return this.#replace(request, before, decoded(request, patched(request, before)))
  }

  /** Answers what is left of it, or null. */
  delete(request: ApiRequest): KubeObject | null {
    const { type, name } = request
    const object = this.find(request)
    const options = deleteOptions(request)
    const { uid, resourceVersion } = asFields(options['preconditions'])
    if (uid !== undefined && uid !== object.metadata.uid)
      throw conflict(type, name, precondition('UID', uid, object.metadata.uid))
    if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
      throw conflict(type, name, precondition('ResourceVersion', resourceVersion, object.metadata.resourceVersion))
    if (isDryRun(request) || options['dryRun'] !== undefined) return object
    return this.#mutations.delete(type, toStored(type, object), propagationOf(type, options))
  }

  deleteCollection(request: ApiRequest): readonly KubeObject[] {
    const { type, namespace, query } = request
    const found = this.#api.store.list(type.collection, namespace).filter(selectorOf(type, query))
    const propagation = propagationOf(type, deleteOptions(request))
    if (!isDryRun(request)) for (const object of found) this.#mutations.delete(type, object, propagation)
    return found
  }

  /** In the form of the group that was asked. */
  find({ type, namespace, name }: ApiRequest): KubeObject {
    const object = this.#api.store.get(type.collection, namespace, name)
    if (object === undefined) throw notFound(type, name)
    return fromStored(type, object)
  }

  #replace(request: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
    const { type, name } = request
    const after =
      request.subresource === 'status' ? { ...before, status: sent.status ?? {} } : edited(request, before, sent)
    const version = sent.metadata.resourceVersion
    if (version !== undefined && version !== before.metadata.resourceVersion)
      throw conflict(
        type,
        name,
        'the object has been modified; please apply your changes to the latest version and try again',
      )
    if (sent.status === undefined && request.subresource === 'status') Reflect.deleteProperty(after, 'status')
    const admitted = toStored(type, admit(request, after, before))
    const stored = isDryRun(request) ? admitted : this.#mutations.replace(type, toStored(type, before), admitted)
    return fromStored(type, stored)
  }

  #checkNamespace(type: ResourceType, namespace: string, name: string): void {
    const object = this.#api.store.get(namespaces.collection, undefined, namespace)
    if (object === undefined) throw notFound(namespaces, namespace)
    if (object.metadata.deletionTimestamp === undefined) return
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`
    const message = `namespace ${namespace} is being terminated`
    throw forbidden(type, name, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }])
  }
}

const mustBeSpecified: Cause = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: 0: must be specified for an update',
  field: 'metadata.resourceVersion',
}

function required(field: string, message: string): Cause {
  return { reason: 'FieldValueRequired', message: `Required value: ${message}`, field }
}

function isUnconditional({ group }: ResourceType): boolean {
  return ['', 'batch', 'apps'].includes(group)
}

export function isDryRun({ query }: ApiRequest): boolean {
  return query.get('dryRun') === 'All'
}

/** A job is the one type whose dependents stay when nothing else is said. */
function propagationOf(type: ResourceType, options: Fields): Propagation {
  const asked = options['orphanDependents'] === true ? 'Orphan' : options['propagationPolicy']
  return (asked ?? (type === jobs ? 'Orphan' : 'Background')) as Propagation
}

function precondition(what: string, wanted: unknown, found: string): string {
  return `Precondition failed: ${what} in precondition: ${String(wanted)}, ${what} in object meta: ${found}`
}

/** What the client may not change stays as it was. */
function edited({ type, name }: ApiRequest, before: KubeObject, sent: KubeObject): KubeObject {
  const { uid, creationTimestamp, namespace, generation, deletionTimestamp, resourceVersion } = before.metadata
  if (sent.metadata.uid !== undefined && sent.metadata.uid !== uid)
    throw conflict(type, name, precondition('UID', sent.metadata.uid, uid))
  const fixed = {
    name: before.metadata.name,
    namespace,
    uid,
    resourceVersion,
    creationTimestamp,
    generation,
    deletionTimestamp,
  }
  const metadata = { ...sent.metadata, ...fixed } as unknown as Fields
  for (const key of Object.keys(fixed)) if (metadata[key] === undefined) Reflect.deleteProperty(metadata, key)
  const known = before.metadata.finalizers ?? []
  const added = (sent.metadata.finalizers ?? []).filter((finalizer) => !known.includes(finalizer))
  if (deletionTimestamp !== undefined && added.length > 0) throw invalid(type, name, [noNewFinalizers(added)])
  const { status: _status, ...rest } = sent
  const kept = type.hasStatus ? rest : sent
  const status = type.hasStatus && before.status !== undefined ? { status: before.status } : {}
  return { ...kept, ...status, metadata: metadata as unknown as KubeObject['metadata'] } as KubeObject
}

function noNewFinalizers(added: readonly string[]): Cause {
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`
  return { reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }
}

/** The object of a body that says what it is, and that it is what the path is about. */
function decoded({ type, namespace, name }: ApiRequest, body: Fields): KubeObject {
  const expected = type.group === '' ? type.version : `${type.group}/${type.version}`
  const { apiVersion = expected, kind = type.kind } = body
  if (apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    )
  if (kind !== type.kind)
    throw badRequest(`the kind in the data (${String(kind)}) does not match the expected kind (${type.kind})`)
  const metadata = asFields(body['metadata'])
  if (metadata['namespace'] !== undefined && metadata['namespace'] !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (name !== '' && metadata['name'] !== undefined && metadata['name'] !== name)
    throw badRequest('the name of the object does not match the name on the URL')
  return { ...body, apiVersion, kind, metadata: metadata as unknown as KubeObject['metadata'] } as KubeObject
}
