import type { Fields } from './objects.ts'
import type { ResourceType } from './types.ts'

/** Why a field is refused, as in `details.causes`. */
export interface Cause {
  readonly reason: string
  readonly message: string
  readonly field: string
}

/** What a request is answered with when it does not succeed. */
export class Failure extends Error {
  readonly code: number
  /** As it goes over the wire. */
  readonly status: Fields

  constructor(code: number, reason: string, message: string, details?: Fields) {
    super(message)
    this.code = code
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code }
  }
}

/** A failure that names an object; `text` is what comes behind it. */
function about(type: ResourceType, name: string, [code, reason, text]: readonly [number, string, string]): Failure {
  const details = { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.plural }
  return new Failure(code, reason, `${qualified(type)} "${name}" ${text}`, details)
}

function qualified({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`
}

export function notFound(type: ResourceType, name: string): Failure {
  return about(type, name, [404, 'NotFound', 'not found'])
}

export function alreadyExists(type: ResourceType, name: string): Failure {
  return about(type, name, [409, 'AlreadyExists', 'already exists'])
}

export function conflict(type: ResourceType, name: string, why: string): Failure {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`
  return new Failure(409, 'Conflict', message, { name, group: type.group, kind: type.plural })
}

export function namespaceGoing(type: ResourceType, name: string, namespace: string): Failure {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const failure = about(type, name, [403, 'Forbidden', `is forbidden: ${why}`])
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated` }
  return new Failure(403, 'Forbidden', failure.message, { name, kind: type.plural, causes: [cause] })
}

export function invalid({ kind, group }: ResourceType, name: string, causes: readonly Cause[]): Failure {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const what = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${what}`
  return new Failure(422, 'Invalid', message, { name, group, kind, causes })
}

export function badRequest(message: string): Failure {
  return new Failure(400, 'BadRequest', message)
}

/** The honest end of what this server can do. */
export function notImplemented(what: string): Failure {
  return new Failure(501, 'NotImplemented', `the embedded API server has no ${what}; a real API server has`)
}

export function methodNotAllowed(): Failure {
  return new Failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')
}

/** A version that there will be, perhaps. The real one waits three seconds for it. */
export function tooLarge(version: number, current: number): Failure {
  const message = `Timeout: Too large resource version: ${version}, current: ${current}`
  return new Failure(504, 'Timeout', message, { retryAfterSeconds: 1 })
}

export function gone(message: string): Failure {
  return new Failure(410, 'Expired', message)
}
