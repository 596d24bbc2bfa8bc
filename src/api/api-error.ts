/**
 * What can go wrong with a call to the API server, as a closed set. `kube/` classifies once, at the edge; everybody
 * else switches on `kind`.
 *
 * - `NotFound`: a `Status` 404 whose details name the object (or its namespace). The object is not there.
 * - `NoSuchResource`: any other 404, such as the plain text one when the CRD is gone. Says nothing about the object.
 * - `AlreadyExists`, `Conflict`: the two faces of 409.
 * - `Gone`: 410, a resourceVersion or continue token that is too old.
 * - `Unauthorized` 401 · `Forbidden` 403 · `BadRequest` 400 · `Invalid` 422 · `Throttled` 429
 * - `ServerError`: 5xx. A 504 or a webhook that hung says nothing about whether the write was committed.
 * - `Unanswered`: no answer (refused connection, reset, abort, time-out, cut body). A write may have been committed.
 * - `NotSent`: withdrawn before a byte of it was written; nothing can have come of it.
 * - `Unexpected`: any other status.
 */
export type ApiErrorKind =
  | 'NotFound'
  | 'NoSuchResource'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Unauthorized'
  | 'Forbidden'
  | 'BadRequest'
  | 'Invalid'
  | 'Throttled'
  | 'ServerError'
  | 'Unanswered'
  | 'NotSent'
  | 'Unexpected'

export interface ApiErrorFacts {
  readonly kind: ApiErrorKind
  /** HTTP status, 0 when there was no answer. */
  readonly code: number
  /** The `reason` of the server's Status, such as `Forbidden`; empty when it gave none. */
  readonly reason: string
  /** The server's own sentence, or the transport's. */
  readonly message: string
  /** The reasons in `details.causes`, such as `NamespaceTerminating`. */
  readonly causes: readonly string[]
  /** The kind in `details`, such as `jobs` or `namespaces`; empty when there is none. */
  readonly detailsKind: string
  /** The server's Retry-After, in milliseconds, or null. */
  readonly retryAfterMs: number | null
}

export class ApiError extends Error implements ApiErrorFacts {
  readonly kind: ApiErrorKind
  readonly code: number
  readonly reason: string
  readonly causes: readonly string[]
  readonly detailsKind: string
  readonly retryAfterMs: number | null

  constructor(facts: ApiErrorFacts, options?: ErrorOptions) {
    super(facts.message, options)
    this.name = 'ApiError'
    this.kind = facts.kind
    this.code = facts.code
    this.reason = facts.reason
    this.causes = facts.causes
    this.detailsKind = facts.detailsKind
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** Whatever the API client throws is an ApiError; anything else is a bug of ours and goes up. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  throw thrown
}
