import { badRequest, Failure, notImplemented } from './failure.ts'
import { asFields, type Fields, isFields } from './objects.ts'
import type { ResourceType, Types } from './types.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** Where a path leads, whether there is such a type or not. */
export interface Target {
  readonly verb: Verb
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly subresource: string
}

export interface ApiRequest extends Target {
  readonly type: ResourceType
  readonly query: URLSearchParams
  readonly accept: string
  readonly contentType: string
  readonly body: string
  /** Sent back as `Warning` headers. */
  readonly warnings: string[]
}

const verbs: Readonly<Record<string, readonly [onOne: Verb, onAll: Verb]>> = {
  GET: ['get', 'list'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['delete', 'deletecollection'],
}

/** null when it is no path of a resource. */
export function targetOf(method: string, { pathname, searchParams }: URL): Target | null {
  const [root, ...parts] = pathname.split('/').slice(1).map(decodeURIComponent)
  const group = root === 'apis' ? parts.shift() : ''
  const version = parts.shift()
  if ((root !== 'api' && root !== 'apis') || group === undefined || version === undefined) return null
  const isScoped = parts[0] === 'namespaces' && parts.length > 2 && !/^(status|finalize)$/.test(parts[2] ?? '')
  const namespace = isScoped ? (parts.splice(0, 2)[1] ?? '') : ''
  const [resource = '', name = '', ...sub] = parts
  const [onOne, onAll] = verbs[method] ?? []
  if (resource === '' || onOne === undefined || onAll === undefined) return null
  const isWatch = method === 'GET' && /^(true|1)$/.test(searchParams.get('watch') ?? '')
  const verb = isWatch ? 'watch' : name === '' ? onAll : onOne
  return { verb, group, version, resource, namespace, name, subresource: sub.join('/') }
}

/** The type that a target is about. Throws Failure, null for a path that nobody knows. */
export function typeOf(types: Types, { group, version, resource, subresource }: Target): ResourceType | null {
  const type = types.get(group, version, resource)
  const isKubernetes = !group.includes('.') || group.endsWith('.k8s.io')
  if (type === undefined && isKubernetes)
    throw notImplemented(`resource ${resource} in ${group === '' ? version : `${group}/${version}`}`)
  if (type === undefined || subresource === '' || (subresource === 'status' && type.hasStatus)) return type ?? null
  if (type.isCustom) return null
  throw notImplemented(`subresource ${resource}/${subresource}`)
}

/** Throws Failure when it is no JSON object. */
export function parseBody({ body, contentType }: ApiRequest): Fields {
  if (!contentType.includes('json')) throw unsupportedMediaType(['application/json'])
  const parsed = parseJson(body)
  if (isFields(parsed)) return parsed
  throw badRequest('the body of the request must be a JSON object')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badRequest(`the body of the request is no JSON: ${String(error)}`)
  }
}

export function unsupportedMediaType(accepted: readonly string[]): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`
  return new Failure(415, 'UnsupportedMediaType', message)
}

/** DeleteOptions come in the body, or in the query. */
export function deleteOptions(request: ApiRequest): Fields {
  const { propagationPolicy, dryRun } = Object.fromEntries(request.query)
  const sent = request.body === '' ? {} : parseBody(request)
  return {
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...asFields(sent),
    ...(dryRun === undefined ? {} : { dryRun }),
  }
}
