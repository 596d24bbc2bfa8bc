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
  readonly reason: string
  readonly details: Fields

  constructor(code: number, reason: string, message: string, details: Fields = {}) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }

  /** As it goes over the wire. */
  get status(): Fields {
    const { code, reason, message, details } = this
    const said = { status: 'Failure', message, ...(reason === '' ? {} : { reason }) }
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, ...said, details, code }
  }
}

/** `jobs.batch`, as messages have it. */
export function qualified({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`
}

function about(type: ResourceType, name: string): Fields {
  return { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.plural }
}

export function notFound(type: ResourceType, name: string): Failure {
  return new Failure(404, 'NotFound', `${qualified(type)} "${name}" not found`, about(type, name))
}

export function alreadyExists(type: ResourceType, name: string): Failure {
  return new Failure(409, 'AlreadyExists', `${qualified(type)} "${name}" already exists`, about(type, name))
}

export function conflict(type: ResourceType, name: string, why: string): Failure {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`
  return new Failure(409, 'Conflict', message, about(type, name))
}

export function forbidden(type: ResourceType, name: string, why: string, causes?: readonly Cause[]): Failure {
  const details = { ...about(type, name), ...(causes === undefined ? {} : { causes }) }
  return new Failure(403, 'Forbidden', `${qualified(type)} "${name}" is forbidden: ${why}`, details)
}

export function invalid(type: ResourceType, name: string, causes: readonly Cause[]): Failure {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const kind = type.group === '' ? type.kind : `${type.kind}.${type.group}`
  const what = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const details = { ...about(type, name), kind: type.kind, causes }
  return new Failure(422, 'Invalid', `${kind} "${name}" is invalid: ${what}`, details)
}

export function badRequest(message: string): Failure {
  return new Failure(400, 'BadRequest', message)
}

/** The honest end of what this server can do. */
export function notImplemented(what: string): Failure {
  return new Failure(501, 'NotImplemented', `the embedded API server has no ${what}; a real API server has`)
}

export function gone(message: string): Failure {
  return new Failure(410, 'Expired', message)
}
