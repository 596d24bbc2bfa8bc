import { ApiError, type ApiErrorKind } from '../api/api-error.ts'
import { cut, longestSentence } from '../api/cut.ts'
import { Withdrawn } from './write-guard.ts'

/** An answer of the API server that is not a success, as it came. */
export interface FailedAnswer {
  readonly code: number
  /** Parsed when it was JSON, otherwise the text. */
  readonly body: unknown
  readonly retryAfter: string | undefined
}

interface Status {
  readonly kind?: string
  readonly reason?: string
  readonly message?: string
  readonly details?: {
    readonly name?: string
    readonly kind?: string
    readonly retryAfterSeconds?: number
    readonly causes?: readonly { readonly reason?: string; readonly message?: string }[]
  }
}

export function errorOfAnswer({ code, body, retryAfter }: FailedAnswer): ApiError {
  const { reason = '', message = plainMessage(code, body), details = {} }: Status = isStatus(body) ? body : {}
  return new ApiError({
    kind: kindOf(code, reason, details),
    code,
    reason,
    message: cut(message, longestSentence),
    causes: (details.causes ?? []).flatMap((cause) => cause.reason ?? []),
    detailsKind: details.kind ?? '',
    retryAfterMs: retryAfterMs(retryAfter, details.retryAfterSeconds),
  })
}

function plainMessage(code: number, body: unknown): string {
  return typeof body === 'string' && body.trim() !== '' ? body.trim() : `HTTP ${code}`
}

/** No answer, or one that broke off: a write may have been committed. */
export function errorOfTransport(cause: unknown): ApiError {
  return new ApiError(
    {
      kind: cause instanceof Withdrawn ? 'NotSent' : 'Unanswered',
      code: 0,
      reason: '',
      message: describe(cause),
      causes: [],
      detailsKind: '',
      retryAfterMs: null,
    },
    { cause },
  )
}

/**
 * Whether the two sides could not agree on a connection because of a certificate: ours has ended, or the CA that we hold
 * did not sign theirs. Node gives OpenSSL's verdicts and alerts as codes. Nothing was sent.
 */
export function isUntrusted(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown }
  return thrown instanceof Error && typeof code === 'string' && /CERT|ISSUER|SIGNATURE|_CA$|^ERR_(TLS|SSL)_/.test(code)
}

/** The error of a connection without trust as a value; every other failure goes up. */
export function ifUntrusted(thrown: unknown): Error {
  if (isUntrusted(thrown)) return thrown as Error
  throw thrown
}

function kindOf(code: number, reason: string, details: NonNullable<Status['details']>): ApiErrorKind {
  const plain = plainKinds[code]
  if (plain !== undefined) return plain
  if (code === 404) return details.name === undefined ? 'NoSuchResource' : 'NotFound'
  if (code === 409) return reason === 'AlreadyExists' ? 'AlreadyExists' : 'Conflict'
  return code >= 500 ? 'ServerError' : 'Unexpected'
}

const plainKinds: Readonly<Record<number, ApiErrorKind>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  410: 'Gone',
  422: 'Invalid',
  429: 'Throttled',
}

function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as Status).kind === 'Status'
}

/** Whatever somebody in between says: nobody is silent for longer than a minute. */
const longestWait = 60

/** Seconds, as the API server sends it; a date, as a proxy may, is left out. */
function retryAfterMs(header: string | undefined, seconds: number | undefined): number | null {
  const value = header === undefined ? seconds : Number(header)
  return value === undefined || !Number.isFinite(value) || value < 0 ? null : Math.min(value, longestWait) * 1_000
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' && !cause.message.includes(code) ? `${cause.message} (${code})` : cause.message
}
