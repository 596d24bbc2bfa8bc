import { STATUS_CODES } from 'node:http'
import type { Fields } from './objects.ts'
import type { Cause } from './schema.ts'
import type { ResourceType } from './types.ts'

/** Where it is not the name of the code. */
const reasons: Readonly<Record<number, string>> = {
  410: 'Expired',
  422: 'Invalid',
  500: 'InternalError',
  504: 'Timeout',
}

/** What a request is answered with when it does not succeed. */
export class Failure extends Error {
  readonly code: number
  /** As it goes over the wire. */
  readonly status: Fields

  constructor(code: number, message: string, details?: Fields, ownReason?: string) {
    super(message)
    this.code = code
    const reason = ownReason ?? reasons[code] ?? STATUS_CODES[code]?.replaceAll(' ', '')
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code }
  }
}

/** Which object a failure is about, as in `details`. */
function detailsOf({ group, plural }: ResourceType, name: string): Fields {
  return { name, ...(group === '' ? {} : { group }), kind: plural }
}

function qualified({ plural, group }: ResourceType, name: string): string {
  return `${group === '' ? plural : `${plural}.${group}`} "${name}"`
}

export function notFound(type: ResourceType, name: string): Failure {
  return new Failure(404, `${qualified(type, name)} not found`, detailsOf(type, name))
}

export function alreadyExists(type: ResourceType, name: string): Failure {
  return new Failure(409, `${qualified(type, name)} already exists`, detailsOf(type, name), 'AlreadyExists')
}

export function conflict(type: ResourceType, name: string, why: string): Failure {
  const message = `Operation cannot be fulfilled on ${qualified(type, name)}: ${why}`
  return new Failure(409, message, detailsOf(type, name))
}

export function namespaceGoing(type: ResourceType, name: string, namespace: string): Failure {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated` }
  return forbidden(type, name, why, [cause])
}

export function forbidden(type: ResourceType, name: string, why: string, causes: readonly Fields[] = []): Failure {
  const details = { ...detailsOf(type, name), causes }
  return new Failure(403, `${qualified(type, name)} is forbidden: ${why}`, details)
}

export function invalid(
  { kind, group }: Pick<ResourceType, 'kind' | 'group'>,
  name: string,
  causes: readonly Cause[],
): Failure {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const what = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${what}`
  return new Failure(422, message, { name, group, kind, causes })
}

/** The honest end of what this server can do. */
export function notImplemented(what: string): Failure {
  return new Failure(501, `the embedded API server has no ${what}; a real API server has`)
}
