import type { ServerResponse } from 'node:http'
import type { Api } from './api.ts'
import { Failure } from './failure.ts'
import type { Fields, KubeObject } from './objects.ts'
import { shown, versionOf } from './reads.ts'
import type { ApiRequest } from './request.ts'
import { type Selector, selectorOf } from './selectors.ts'
import type { Change } from './store.ts'
import { apiVersionOf, definitions } from './types.ts'

/** As the API server does it: now and then, and shortly before the end. */
const bookmarkEveryMs = 60_000
const bookmarkBeforeEndMs = 2_000
const longestWatchSeconds = 1_800

/** A stream of the changes of one collection. */
export class Watch {
  readonly #api: Api
  readonly #request: ApiRequest
  readonly #out: ServerResponse
  readonly #selected: Selector
  /** The newest change that was looked at. */
  #version: number

  /** Throws Failure when the query is wrong. */
  constructor(api: Api, request: ApiRequest, out: ServerResponse) {
    this.#api = api
    this.#request = request
    this.#out = out
    this.#selected = selectorOf(request.type, request.query)
    this.#version = Number(versionOf(request.query))
  }

  /** Resolves when its time is up, its client or its resource is gone, or the server stops. */
  async run(): Promise<void> {
    const { store, stopping } = this.#api
    const over = new AbortController()
    this.#out.once('close', () => over.abort())
    this.#out.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    const isInitial = this.#request.query.get('sendInitialEvents') === 'true'
    if (this.#version === 0 || isInitial) this.#sendAll()
    if (isInitial) this.#bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
    const missed = store.since(this.#version)
    const tooOld = `too old resource version: ${this.#version} (${store.version})`
    if (missed === null) return this.#send('ERROR', new Failure(410, tooOld).status)
    for (const change of missed) this.#pass(change)
    const end = store.subscribe((change) => {
      this.#pass(change)
      if (this.#isUndefinedBy(change)) over.abort()
    })
    await this.#wait(AbortSignal.any([stopping, over.signal]))
    end()
  }

  #sendAll(): void {
    const { type, namespace } = this.#request
    this.#version = this.#api.store.version
    for (const object of this.#api.store.list(type, namespace) ?? [])
      if (this.#selected(object)) this.#sendObject('ADDED', object)
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#api
    const ms = (Number(this.#request.query.get('timeoutSeconds')) || longestWatchSeconds) * 1_000
    const endsAt = clock.monotonic() + ms
    for (let left = ms; left > 0 && !signal.aborted; left = endsAt - clock.monotonic()) {
      const untilBookmark = left > bookmarkBeforeEndMs ? left - bookmarkBeforeEndMs : left
      await clock.sleep(Math.min(bookmarkEveryMs, untilBookmark), signal)
      if (endsAt > clock.monotonic() && !signal.aborted) this.#bookmark({})
    }
  }

  /** An object that comes to be selected is new to this watcher, one that no longer is has gone for it. */
  #pass({ type, version, event, object, before }: Change): void {
    if (version <= this.#version) return
    this.#version = version
    if (type.collection !== this.#request.type.collection) return
    const is = event !== 'DELETED' && this.#isWanted(object)
    const was = before !== null && this.#isWanted(before)
    if (is) this.#sendObject(was ? 'MODIFIED' : 'ADDED', object)
    else if (was) this.#sendObject('DELETED', object)
  }

  #isWanted(object: KubeObject): boolean {
    const { namespace } = this.#request
    return (namespace === '' || object.metadata.namespace === namespace) && this.#selected(object)
  }

  #isUndefinedBy({ type, event, object }: Change): boolean {
    return type === definitions && event === 'DELETED' && object.metadata.name === this.#request.type.collection
  }

  #bookmark(more: Fields): void {
    const { type, query } = this.#request
    if (query.get('allowWatchBookmarks') !== 'true') return
    const metadata = { creationTimestamp: null, ...more, resourceVersion: String(this.#api.store.version) }
    this.#sendObject('BOOKMARK', { kind: type.kind, apiVersion: apiVersionOf(type), metadata } as unknown as KubeObject)
  }

  #sendObject(event: string, object: KubeObject): void {
    this.#send(event, shown(this.#api, this.#request, object))
  }

  #send(type: string, object: Fields): void {
    this.#out.write(`${JSON.stringify({ type, object })}\n`)
  }
}
