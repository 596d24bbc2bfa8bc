import { ApiError } from '../api/api-error.ts'
import type { Requester } from './fenced.ts'
import { readPage, understood } from './understood.ts'

export interface ListRequest {
  readonly transport: Requester
  /** Of the collection. */
  readonly path: string
  readonly labelSelector?: string
  /** PartialObjectMetadataList: identities and ages only. */
  readonly metadataOnly?: boolean
}

const pageSize = 500
const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

/** A fresh, consistent, complete list, read in pages. A continue token that has grown too old starts it afresh, once. */
export async function pagedList(request: ListRequest): Promise<readonly unknown[]> {
  try {
    return await readPages(request)
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.kind === 'Gone') return readPages(request)
    throw thrown
  }
}

async function readPages({ transport, path, labelSelector, metadataOnly: partial }: ListRequest): Promise<unknown[]> {
  const items: unknown[] = []
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  })
  const accept = partial === true ? metadataOnly : 'application/json'
  for (let more = true; more; ) {
    const { body } = await transport.request({
      method: 'GET',
      path: `${path}?${query.toString()}`,
      lane: 'control',
      accept,
    })
    const page = understood(body, readPage)
    items.push(...page.items)
    more = page.token !== null
    query.set('continue', page.token ?? '')
  }
  return items
}

/** Identity and age of each object: what the full scan compares. */
export async function listMetadata(request: ListRequest): Promise<readonly ObjectIdentity[]> {
  const items = await pagedList({ ...request, metadataOnly: true })
  return items.map((item) => understood(item, identityOf))
}

function identityOf(item: unknown): ObjectIdentity {
  const { metadata } = item as { metadata: ObjectIdentity }
  const { uid, namespace, name, resourceVersion } = metadata
  if ([uid, namespace, name, resourceVersion].every((part) => typeof part === 'string')) return metadata
  throw new TypeError('an object without uid, namespace, name or resourceVersion is in the list')
}

export interface ObjectIdentity {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
}
