import { ApiError } from '../api/api-error.ts'
import type { Requester } from './fenced.ts'
import type { PageSize } from './page-size.ts'
import { type ListPage, readPage, understood } from './understood.ts'

export interface PageRequest {
  readonly transport: Requester
  /** Of the collection. */
  readonly path: string
  readonly labelSelector?: string | undefined
  /** Of the page before this one; null at the first. */
  readonly token: string | null
  readonly accept?: string
  readonly signal?: AbortSignal
  readonly size: PageSize
}

/** Reads a page, one item at a time. Rejects with ApiError; then the items that were told are not to be believed. */
export async function listPage(request: PageRequest, each: (item: unknown) => void): Promise<ListPage> {
  const { transport, path, labelSelector, token, accept, signal, size } = request
  const query = new URLSearchParams({
    limit: String(size.next),
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(token === null ? {} : { continue: token }),
  })
  let count = 0
  let weight = 0
  const one = (item: unknown, bytes: number) => {
    count += 1
    weight += bytes
    each(item)
  }
  try {
    const { body } = await transport.request({
      method: 'GET',
      path: `${path}?${query.toString()}`,
      lane: 'control',
      ...(accept === undefined ? {} : { accept }),
      signal,
      each: one,
    })
    const page = understood(body, readPage)
    size.read(count, weight)
    return page
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.kind === 'Unanswered') size.failed()
    throw thrown
  }
}
