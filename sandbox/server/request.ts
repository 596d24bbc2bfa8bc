import { badRequest, Failure, notImplemented } from './failure.ts'
import { type Fields, isFields } from './objects.ts'
import type { ResourceType, Types } from './types.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'none'

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
  POST: ['none', 'create'],
  PUT: ['update', 'none'],
  PATCH: ['patch', 'none'],
  DELETE: ['delete', 'deletecollection'],
}

const core = /^\/api\/()([^/]+)/
const named = /^\/apis\/([^/]+)\/([^/]+)/
const scoped = /^\/namespaces\/([^/]+)(?=\/(?!status$|finalize$))/
const object = /^\/([^/]+)(?:\/([^/]+)(?:\/(.+))?)?\/?$/

/** null when it is no path of a resource. */
export function targetOf(method: string, url: URL): Target | null {
  const found = partsOf(url.pathname)
  if (found === null) return null
  const [group, version, namespace, resource, name, subresource] = found
  const verb = verbs[method]?.[name === '' ? 1 : 0]
  const isWatch = verb === 'list' && /^(true|1)$/.test(url.searchParams.get('watch') ?? '')
  const place = { group, version, namespace, resource, name, subresource }
  return verb === undefined ? null : { verb: isWatch ? 'watch' : verb, ...place }
}

type Parts = readonly [string, string, string, string, string, string]

function partsOf(path: string): Parts | null {
  const root = (path.startsWith('/apis/') ? named : core).exec(path)
  const behind = path.slice(root?.[0].length)
  const scope = scoped.exec(behind)
  const rest = object.exec(behind.slice(scope?.[0].length ?? 0))
  if (root === null || rest === null) return null
  return [root[1], root[2], scope?.[1], ...rest.slice(1)].map(decoded) as unknown as Parts
}

/** What can't be decoded is left as it came: there is nothing of that name. */
function decoded(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The type that a target is about, null for a path that nobody knows. Throws Failure. */
export function typeOf(types: Types, { group, version, resource, subresource }: Target): ResourceType | null {
  const type = types.get(group, version, resource)
  const isKubernetes = !group.includes('.') || group.endsWith('.k8s.io')
  if (type === undefined) {
    if (isKubernetes) throw notImplemented(`resource ${resource} in ${group === '' ? version : `${group}/${version}`}`)
    return null
  }
  if (subresource === '' || (subresource === 'status' && type.hasStatus)) return type
  if (type.isCustom) return null
  throw notImplemented(`subresource ${resource}/${subresource}`)
}

/** Throws Failure when the client takes no JSON. */
export function checkShape({ accept }: ApiRequest): void {
  if (accept !== '' && !/json|\*/.test(accept))
    throw new Failure(406, 'NotAcceptable', 'only the following media types are accepted: application/json')
}

/** Throws Failure when it is no JSON object. */
export function parseBody({ body, contentType }: ApiRequest): Fields {
  if (contentType.includes('protobuf'))
    throw notImplemented('protobuf, which some commands of kubectl speak (apply speaks JSON)')
  if (!contentType.includes('json')) throw unsupportedMediaType('application/json')
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

export function unsupportedMediaType(accepted: string): Failure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`
  return new Failure(415, 'UnsupportedMediaType', message)
}
