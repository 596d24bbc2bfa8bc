import type { ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import { Failure } from './failure.ts'
import type { KubeObject } from './objects.ts'
import { type Selector, selectorOf, shown, versionOf } from './reads.ts'
import { type ApiRequest, isAsked } from './request.ts'
import type { Change } from './store.ts'
import { apiVersionOf } from './types.ts'

/** As the API server does it: now and then, and shortly before the end. */
const bookmarkEveryMs = 60_000
const bookmarkBeforeEndMs = 2_000
/** Whoever leaves more than so many bytes unread for so long is cut off. */
const longestUnread = 1_048_576
const patienceMs = 5_000
const longestWatchSeconds = 1_800

/** A stream of changes. Resolves when its time is up, its client or its resource is gone, or the server stops. */
export async function watch(api: Api, request: ApiRequest, out: ServerResponse): Promise<void> {
  const { type, query } = request
  const { store, stopping, clock } = api
  let readAt = clock.monotonic()
  const isWanted = selectorOf(request)
  const from = Number(versionOf(query))
  const write = (event: string, object: unknown): undefined => {
    if (out.writableLength === 0) readAt = clock.monotonic()
    out.write(`${JSON.stringify({ type: event, object })}\n`)
    if (out.writableLength > longestUnread && clock.monotonic() - readAt > patienceMs) out.destroy()
  }
  const send = (event: string, object: KubeObject) => write(event, shown(api, request, object))
  const bookmark = (more: object = {}) => {
    const metadata = { creationTimestamp: null, ...more, resourceVersion: String(store.version) }
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
  const missed = isInitial || from === 0 ? store.list(type)?.map(asAdded) : store.since(from)
  const tooOld = `too old resource version: ${from} (${store.version})`
  if (missed == null) return write('ERROR', new Failure(410, tooOld).status)
  for (const change of missed) pass(change)
  if (isInitial) bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
  const end = store.subscribe((change) => {
    pass(change)
    if (!api.types.includes(type)) over.abort()
  })
  await last(api, Number(query.get('timeoutSeconds')), AbortSignal.any([stopping, over.signal]), bookmark)
  end()
}

/** An object that comes to be selected is new to this watcher, one that no longer is has gone for it. */
function eventOf({ event, object, before }: Change, isWanted: Selector): Change['event'] | null {
  const is = event !== 'DELETED' && isWanted(object)
  const was = before !== null && isWanted(before)
  if (is) return was ? 'MODIFIED' : 'ADDED'
  return was ? 'DELETED' : null
}

/** Resolves when so many seconds have passed, or the longest time; `remind` is called meanwhile. */
async function last({ clock }: Api, seconds: number, signal: AbortSignal, remind: () => void): Promise<void> {
  const ms = (seconds || longestWatchSeconds) * 1_000
  const endsAt = clock.monotonic() + ms
  for (let left = ms; left > 0 && !signal.aborted; left = endsAt - clock.monotonic()) {
    const untilReminder = left > bookmarkBeforeEndMs ? left - bookmarkBeforeEndMs : left
    await clock.sleep(Math.min(bookmarkEveryMs, untilReminder), signal)
    if (endsAt > clock.monotonic() && !signal.aborted) remind()
  }
}
