import { unescape } from 'node:querystring'
import { Failure, invalid, notImplemented } from './failure.ts'
import { type Fields, isFields } from './objects.ts'
import { unsupported } from './schema.ts'
import { apiVersionOf, type ResourceType } from './types.ts'

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'none'

type PathPart = 'group' | 'version' | 'resource' | 'namespace' | 'name' | 'subresource'

/** Where a path leads, whether there is such a type or not; a part that it has not is empty. */
export type Target = { readonly verb: Verb } & { readonly [part in PathPart]: string }

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

const resourcePath = new RegExp(
  [
    '^/(?:api|apis/(?<group>[^/]+))/(?<version>[^/]+)',
    // The namespace of an object, not a namespace as the object itself.
    '(?:/namespaces/(?<namespace>[^/]+)(?=/(?!(?:status|finalize)$)))?',
    '/(?<resource>[^/]+)(?:/(?<name>[^/]+)(?:/(?<subresource>.+))?)?/?$',
  ].join(''),
)

/** null when it is no path of a resource. */
export function targetOf(method: string, { pathname, searchParams }: URL): Target | null {
  const found: Readonly<Record<string, string | undefined>> | undefined = resourcePath.exec(pathname)?.groups
  const verb = verbs[method]?.[found?.['name'] === undefined ? 1 : 0]
  if (found === undefined || verb === undefined) return null
  const isWatch = verb === 'list' && isAsked(searchParams, 'watch')
  const parts = Object.entries(found).map(([part, text = '']) => [part, unescape(text)])
  return { ...(Object.fromEntries(parts) as Omit<Target, 'verb'>), verb: isWatch ? 'watch' : verb }
}

/** The type that a target is about, null for a path that nobody knows. Throws Failure. */
export function typeOf(types: readonly ResourceType[], target: Target): ResourceType | null {
  const { group, version, resource, subresource } = target
  const apiVersion = apiVersionOf({ group, version })
  const type = types.find((each) => each.plural === resource && apiVersionOf(each) === apiVersion)
  const isKubernetes = type === undefined ? !group.includes('.') || group.endsWith('.k8s.io') : !type.isCustom
  if (type !== undefined && (subresource === '' || (subresource === 'status' && type.hasStatus))) return type
  const what = type === undefined ? `resource ${resource} in ${apiVersion}` : `subresource ${resource}/${subresource}`
  if (isKubernetes) throw notImplemented(what)
  return null
}

/** Throws Failure when it is no JSON object, SyntaxError when it is no JSON. */
export function parseBody({ body, contentType }: ApiRequest): Fields {
  if (contentType.includes('protobuf')) throw notImplemented('protobuf (kubectl apply, unlike create, speaks JSON)')
  const parsed = JSON.parse(body) as unknown
  if (isFields(parsed)) return parsed
  throw new Failure(400, 'the body of the request must be a JSON object')
}

/** Whatever it says but no. */
export function isAsked(query: URLSearchParams, name: string): boolean {
  return !/^(false|0)$/i.test(query.get(name) ?? 'false')
}

const choices: Readonly<Record<string, readonly string[]>> = {
  dryRun: ['All'],
  fieldValidation: ['', 'Ignore', 'Strict', 'Warn'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', ''],
}

/** What is not understood is refused: a dry run that is none would be worse. Throws Failure. */
export function checkQuery(verb: string, query: URLSearchParams): void {
  const kind = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}Options`
  for (const [name, supported] of Object.entries(choices)) {
    const other = query.getAll(name).find((value) => !supported.includes(value))
    if (other !== undefined) throw invalid({ kind, group: 'meta.k8s.io' }, '', [unsupported(name, other, supported)])
  }
  if (query.get('resourceVersionMatch') === 'Exact') throw notImplemented('list of an exact version')
  for (const number of ['limit', 'timeoutSeconds', 'resourceVersion'].map((name) => query.get(name) ?? ''))
    if (!/^-?\d*$/.test(number)) throw new Failure(400, `parsing ${JSON.stringify(number)}: invalid syntax`)
}

export function isDryRun({ query }: Pick<ApiRequest, 'query'>): boolean {
  return query.has('dryRun')
}
