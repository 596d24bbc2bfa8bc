import { ApiError } from '../api/api-error.ts'
import { errorOfAnswer } from './classify-error.ts'

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
  const isUnknown = thrown instanceof ApiError && thrown.kind === 'NoSuchResource'
  return isUnknown
    ? 'the API server does not know this resource, trying again; is its CustomResourceDefinition applied?'
    : 'list or watch failed, trying again'
}
