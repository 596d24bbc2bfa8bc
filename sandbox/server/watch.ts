import type { ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import { Failure } from './failure.ts'
import type { KubeObject } from './objects.ts'
import { type Selector, selectorOf, shown } from './reads.ts'
import { type ApiRequest, isAsked } from './request.ts'
import type { Change } from './store.ts'
import { apiVersionOf } from './types.ts'

const bookmarkBeforeEndMs = 2_000
/** Whoever leaves more than so many bytes unread is cut off. */
const longestUnread = 67_108_864
const longestWatchSeconds = 1_800

/** A stream of changes. Resolves when its time is up, its client or its resource is gone, or the server stops. */
export async function watch(api: Api, request: ApiRequest, out: ServerResponse): Promise<void> {
  const { type, query } = request
  const isWanted = selectorOf(request)
  const from = Number(query.get('resourceVersion'))
  const write = (event: string, object: unknown): undefined => {
    out.write(`${JSON.stringify({ type: event, object })}\n`)
    if (out.writableLength > longestUnread) out.destroy()
  }
  const send = (event: string, object: KubeObject) => write(event, shown(api, request, object))
  const bookmark = (more: object = {}) => {
    const metadata = { creationTimestamp: null, ...more, resourceVersion: String(api.store.version) }
    const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata } as unknown as KubeObject
    if (isAsked(query, 'allowWatchBookmarks')) send('BOOKMARK', object)
  }
  const asAdded = (object: KubeObject): Change => ({ event: 'ADDED', type, object, before: null })
  const pass = (change: Change) => {
    const event = change.type.collection === type.collection ? eventOf(change, isWanted) : null
    if (event !== null) send(event, change.object)
  }
  const over = new AbortController()
  out.once('close', () => over.abort())
  out.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
  const isInitial = isAsked(query, 'sendInitialEvents')
  const missed = isInitial || from === 0 ? api.store.list(type)?.map(asAdded) : api.store.since(from)
  const tooOld = `too old resource version: ${from} (${api.store.version})`
  if (missed == null) return write('ERROR', new Failure(410, tooOld).status)
  for (const change of missed) pass(change)
  if (isInitial) bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
  const end = api.store.subscribe((change) => {
    pass(change)
    if (!api.types.includes(type)) over.abort()
  })
  const signal = AbortSignal.any([api.stopping, over.signal])
  const lastsMs = (Number(query.get('timeoutSeconds')) || longestWatchSeconds) * 1_000
  const untilBookmarkMs = Math.max(0, lastsMs - bookmarkBeforeEndMs)
  await api.clock.sleep(untilBookmarkMs, signal)
  if (!signal.aborted) bookmark()
  await api.clock.sleep(lastsMs - untilBookmarkMs, signal)
  end()
}

/** An object that comes to be selected is new to this watcher, one that no longer is has gone for it. */
function eventOf({ event, object, before }: Change, isWanted: Selector): Change['event'] | null {
  const is = event !== 'DELETED' && isWanted(object)
  const was = before !== null && isWanted(before)
  if (is) return was ? 'MODIFIED' : 'ADDED'
  return was ? 'DELETED' : null
}
