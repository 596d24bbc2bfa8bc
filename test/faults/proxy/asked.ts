/** What a request is about, as Kubernetes' own audit log puts it. */
export interface Asked {
  readonly verb: string
  /** Empty for the core API. */
  readonly group: string
  readonly resource: string
  readonly subresource: string
  /** Empty for all of them. */
  readonly namespace: string
  /** Of a create, the one in its body. */
  readonly name: string
  readonly isDryRun: boolean
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly body: string
  readonly accept: string
}

const single: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
const collective: Readonly<Record<string, string>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' }
const pattern = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?(?:\/(.+))?$/

export function askedOf(request: { method: string; url: string; accept: string; body: string }): Asked {
  const { pathname, searchParams } = new URL(request.url, 'http://server')
  const place = placeOf(pathname)
  const isCollection = place.resource !== '' && place.name === ''
  const verb = verbOf(request.method, isCollection, searchParams)
  const name = isCollection && verb === 'create' ? nameIn(request.body) : place.name
  return { ...request, ...place, verb, name, isDryRun: searchParams.get('dryRun') === 'All' }
}

function placeOf(pathname: string) {
  const [, group = '', namespace = '', resource = '', name = '', subresource = ''] = pattern.exec(pathname) ?? []
  return { group, namespace, resource, name, subresource }
}

function verbOf(method: string, isCollection: boolean, query: URLSearchParams): string {
  const verb = (isCollection ? collective : single)[method] ?? method.toLowerCase()
  return verb === 'list' && ['true', '1'].includes(query.get('watch') ?? '') ? 'watch' : verb
}

function nameIn(body: string): string {
  try {
    return (JSON.parse(body) as { metadata?: { name?: string } }).metadata?.name ?? ''
  } catch {
    return ''
  }
}
