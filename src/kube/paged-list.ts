import { ApiError } from '../api/api-error.ts'
import type { Requester } from './fenced.ts'
import { listPage } from './list-page.ts'
import { PageSize } from './page-size.ts'
import { type ListPage, understood } from './understood.ts'

export interface ListRequest {
  readonly transport: Requester
  /** Of the collection. */
  readonly path: string
  readonly labelSelector?: string
  /** PartialObjectMetadataList: identities and ages only. */
  readonly metadataOnly?: boolean
  /** Learned from the lists before this one. */
  readonly size?: PageSize
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/**
 * What `read` makes of each object of a fresh, consistent, complete list, read in pages: nothing else of them is kept. A
 * continue token that has grown too old starts it afresh, once. Rejects with ApiError.
 */
export async function pagedList<T>(request: ListRequest, read: (item: unknown) => T): Promise<readonly T[]> {
  try {
    return await readPages(request, read)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.kind === 'Gone') return readPages(request, read)
    throw thrown
  }
}

async function readPages<T>(request: ListRequest, read: (item: unknown) => T): Promise<T[]> {
  const { transport, path, labelSelector, metadataOnly: partial, size = new PageSize() } = request
  const accept = partial === true ? metadataOnly : 'application/json'
  const items: T[] = []
  const from = { transport, path, labelSelector, accept, size }
  for (let token: string | null = null; ; ) {
    const page: ListPage = await listPage({ ...from, token }, (item) => items.push(understood(item, read)))
    if (page.token === null) return items
    token = page.token
  }
}

/** Identity and age of each object: what the full scan compares. */
export async function listMetadata(request: ListRequest): Promise<readonly ObjectIdentity[]> {
  return pagedList({ ...request, metadataOnly: true }, identityOf)
}

function identityOf(item: unknown): ObjectIdentity {
  const { metadata } = item as { metadata: ObjectIdentity }
  const { uid, namespace, name, resourceVersion } = metadata
  if ([uid, namespace, name, resourceVersion].every((part) => typeof part === 'string'))
    return { uid, namespace, name, resourceVersion }
  throw new TypeError('an object without uid, namespace, name or resourceVersion is in the list')
}

export interface ObjectIdentity {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
}
