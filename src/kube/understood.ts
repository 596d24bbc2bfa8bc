import { ApiError } from '../api/api-error.ts'
import { errorOfTransport } from './classify-error.ts'

/** What a page of a list says beside its items. */
export interface ListPage {
  readonly version: string
  /** Names the next page; null on the last one. */
  readonly token: string | null
}

/** What `read` makes of the body of a success. One that can't be understood is as good as none: `Unanswered`. */
export function understood<T>(body: unknown, read: (body: unknown) => T): T {
  try {
    return read(body)
  } catch (cause) {
    throw cause instanceof ApiError ? cause : errorOfTransport(cause)
  }
}

/** Throws on what is no list: it must not pass for an empty one, since that says that every object is gone. */
export function readPage(body: unknown): ListPage {
  const { kind, metadata, items } = body as {
    readonly kind?: unknown
    readonly metadata?: { readonly resourceVersion?: unknown; readonly continue?: unknown }
    readonly items?: unknown
  }
  const version = metadata?.resourceVersion
  const isList = typeof kind === 'string' && kind.endsWith('List') && typeof version === 'string' && version !== ''
  // Go writes an empty slice as null unless it takes care not to.
  if (!isList || !(Array.isArray(items) || items === null)) throw new TypeError('the answer is not a list')
  return { version, token: tokenIn(metadata?.continue) }
}

function tokenIn(token: unknown): string | null {
  return typeof token === 'string' && token !== '' ? token : null
}
