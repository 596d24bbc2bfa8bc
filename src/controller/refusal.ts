import type { ApiError } from '../api/api-error.ts'
import { backoffMs } from '../clock.ts'

/** Why a create failed, in the words that conditions and events use. */
export type RefusalReason =
  | 'QuotaExceeded'
  | 'Forbidden'
  | 'NamespaceTerminating'
  | 'NamespaceNotFound'
  | 'Invalid'
  | 'WebhookDenied'
  | 'WebhookFailed'
  | 'PolicyDenied'
  | 'Unavailable'

export interface Refusal {
  readonly reason: RefusalReason
  /** The server's own words. */
  readonly message: string
  /** The cluster said no to this very Job; otherwise the way to the server is at fault, for all Jobs alike. */
  readonly refused: boolean
  /** Whether a Job may have been created all the same: then its name is looked up before it is tried again. */
  readonly unknown: boolean
  readonly retryAfterMs: number | null
}

/** Reads a failed create. The rules are the API server's answers as tried on a real one, a row each in the test. */
export function refusalOf(error: ApiError): Refusal {
  const reason = reasonOf(error)
  return {
    reason,
    message: error.message,
    refused: reason !== 'Unavailable',
    unknown: reason === 'Unavailable' && (error.kind === 'Unanswered' || error.kind === 'ServerError'),
    retryAfterMs: error.retryAfterMs,
  }
}

function reasonOf(error: ApiError): RefusalReason {
  const { kind, message } = error
  if (message.includes('ValidatingAdmissionPolicy')) return 'PolicyDenied'
  if (message.includes('failed calling webhook')) return 'WebhookFailed'
  if (message.includes('admission webhook')) return 'WebhookDenied'
  switch (kind) {
    case 'Invalid':
    case 'BadRequest':
      return 'Invalid'
    case 'NotFound':
      return error.detailsKind === 'namespaces' ? 'NamespaceNotFound' : 'Unavailable'
    case 'Forbidden':
      return forbiddenReason(error)
    default:
      return 'Unavailable'
  }
}

function forbiddenReason(error: ApiError): RefusalReason {
  if (error.causes.includes('NamespaceTerminating')) return 'NamespaceTerminating'
  return error.message.includes('exceeded quota') ? 'QuotaExceeded' : 'Forbidden'
}

const firstDelayMs = { refused: 1_000, unreachable: 100 }
const longestDelayMs = { refused: 60_000, unreachable: 5_000 }

/** How long to wait before the next attempt, after `failures` (at least one) of them; doubling, never before Retry-After. */
export function delayAfter(refusal: Refusal, failures: number): number {
  const kind = refusal.refused ? 'refused' : 'unreachable'
  const delay = backoffMs(failures, firstDelayMs[kind], longestDelayMs[kind])
  return Math.max(delay, refusal.retryAfterMs ?? 0)
}

const longestPauseMs = { refused: 30_000, unreachable: 10_000, outrun: 2_000 }

/**
 * The same for what no slot waits for, such as a status or a clean-up, from `firstMs` on. When an API server that had too
 * much to do, or was away, is back, all is right again within half a minute; what the cluster says no to can wait. A race
 * with another writer that was lost often is not lost for ever.
 */
export function laterPauseMs(error: ApiError, failures: number, firstMs: number): number {
  const kind = error.kind === 'Conflict' ? 'outrun' : refusalOf(error).refused ? 'refused' : 'unreachable'
  const longest = longestPauseMs[kind]
  return Math.max(backoffMs(failures, firstMs, longest), error.retryAfterMs ?? 0)
}

/** The pauses are counted on another clock than the deadlines. */
const afterDeadlineMs = 50

/**
 * The same, but no longer than the slot can be launched, which is `leftMs` more: then it is told as missed. When that is
 * over, an unknown create is still to be looked up, and that may fail again.
 */
export function pauseAfter(refusal: Refusal, failures: number, leftMs: number): number {
  const delayMs = delayAfter(refusal, failures)
  const toldInMs = leftMs + afterDeadlineMs
  return toldInMs <= 0 && refusal.unknown ? delayMs : Math.min(delayMs, Math.max(0, toldInMs))
}
