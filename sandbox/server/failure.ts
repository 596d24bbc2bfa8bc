import { STATUS_CODES } from 'node:http'
import type { Fields } from './objects.ts'
import type { Cause } from './schema.ts'
import type { ResourceType } from './types.ts'

/** Where it is not the name of the code. */
const reasons: Readonly<Record<number, string>> = {
  410: 'Expired',
  422: 'Invalid',
  500: 'InternalError',
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

const refusals = {
  NotFound: [404, '* not found'],
  AlreadyExists: [409, '* already exists'],
  Conflict: [409, 'Operation cannot be fulfilled on *: '],
  Forbidden: [403, '* is forbidden: '],
} as const

type About = Readonly<{ type: ResourceType; name: string }>

/** What can not be done with an object, and why. */
export function refused(reason: keyof typeof refusals, { type, name }: About, why = '', causes?: Fields[]): Failure {
  const { plural: kind, group } = type
  const [code, words] = refusals[reason]
  const [resource, details] = group === '' ? [kind, { name, kind }] : [`${kind}.${group}`, { name, group, kind }]
  const message = words.replace('*', () => `${resource} "${name}"`) + why
  return new Failure(code, message, { ...details, causes }, reason)
}

type GroupKind = Pick<ResourceType, 'group' | 'kind'>

export function invalid({ group, kind }: GroupKind, name: string, causes: readonly Cause[]): Failure {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const what = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const message = `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${what}`
  return new Failure(422, message, { name, group, kind, causes })
}

/** The honest end of what this server can do. */
export function notImplemented(what: string): Failure {
  return new Failure(501, `the embedded API server has no ${what}; a real API server has`)
}
