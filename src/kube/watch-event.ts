import { ApiError, type ApiErrorKind } from '../api/api-error.ts'
import { errorOfAnswer } from './classify-error.ts'
import type { WatchState } from './watch-state.ts'

/** A line of a watch, as it comes. */
export interface RawEvent {
  readonly type: string
  readonly object: { readonly code?: number; readonly metadata?: { readonly resourceVersion?: string } }
}

/** The error that an ERROR event stands for. */
export function errorOfEvent({ object }: RawEvent): ApiError {
  return errorOfAnswer({ code: object.code ?? 500, body: object, retryAfter: undefined })
}

/** What the log says of a list or a watch that failed. */
export function failureMessage(thrown: unknown): string {
  if (isOfKind(thrown, 'NoSuchResource'))
    return 'the API server does not know this resource, trying again; is its CustomResourceDefinition applied?'
  if (isOfKind(thrown, 'Forbidden'))
    return 'the API server refuses to list or watch this, trying again; is the role bound, and the namespace there?'
  return 'list or watch failed, trying again'
}

/** A namespace may be refused for days, until it is there: that is said once. */
export function failureLevel(thrown: unknown, state: WatchState): 'warn' | 'debug' {
  const isFirst = state.at === 'waiting' || state.failures === 0
  return isFirst || !isOfKind(thrown, 'Forbidden') ? 'warn' : 'debug'
}

export function isOfKind(thrown: unknown, kind: ApiErrorKind): boolean {
  return thrown instanceof ApiError && thrown.kind === kind
}
