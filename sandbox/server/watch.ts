import type { ServerResponse } from 'node:http'
import { fromStored } from './event-forms.ts'
import { gone } from './failure.ts'
import type { Api } from './mutations.ts'
import type { Fields, KubeObject } from './objects.ts'
import { apiVersionOf, type Reads, versionOf } from './reads.ts'
import type { ApiRequest } from './request.ts'
import { type Selector, selectorOf } from './selectors.ts'
import type { Change } from './store.ts'

/** As the API server does it: now and then, and shortly before the end. */
const bookmarkEveryMs = 60_000
const bookmarkBeforeEndMs = 2_000
const longestWatchSeconds = 1_800

/** A stream of the changes of one collection. */
export class Watch {
  readonly #api: Api
  readonly #reads: Reads
  readonly #request: ApiRequest
  readonly #out: ServerResponse
  readonly #selected: Selector
  /** The newest change that was looked at. */
  #version: number

  /** Throws Failure when the query is wrong. */
  constructor(api: Api, reads: Reads, request: ApiRequest, out: ServerResponse) {
    this.#api = api
    this.#reads = reads
    this.#request = request
    this.#out = out
    this.#selected = selectorOf(request.type, request.query)
    this.#version = versionOf(request.query) ?? 0
  }

  /** Resolves when its time is up, or when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#out.writeHead(200, { 'content-type': 'application/json' })
    this.#out.flushHeaders()
    if (!this.#begin()) return
    const end = this.#api.store.subscribe((change) => this.#pass(change))
    try {
      await this.#wait(signal)
    } finally {
      end()
    }
  }

  /** Sends what is there already; false when that is not known any more. */
  #begin(): boolean {
    const { store } = this.#api
    const { query } = this.#request
    const isInitial = query.get('sendInitialEvents') === 'true'
    if (this.#version === 0 || isInitial) this.#sendAll(isInitial)
    const missed = store.since(this.#version)
    if (missed === null) {
      this.#send('ERROR', gone(`too old resource version: ${this.#version}`).status)
      return false
    }
    for (const change of missed) this.#pass(change)
    return true
  }

  #sendAll(isInitial: boolean): void {
    const { type, namespace } = this.#request
    for (const object of this.#api.store.list(type.collection, namespace)) {
      const seen = fromStored(type, object)
      if (this.#selected(seen)) this.#send('ADDED', this.#reads.shown(this.#request, seen))
    }
    this.#version = this.#api.store.version
    if (isInitial) this.#bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#api
    const seconds = Number(this.#request.query.get('timeoutSeconds') ?? longestWatchSeconds)
    const endsAt = clock.monotonic() + seconds * 1_000
    while (!signal.aborted) {
      const left = endsAt - clock.monotonic()
      if (left <= 0) return
      await clock.sleep(
        Math.min(bookmarkEveryMs, left > bookmarkBeforeEndMs ? left - bookmarkBeforeEndMs : left),
        signal,
      )
      if (endsAt > clock.monotonic() && !signal.aborted) this.#bookmark({})
    }
  }

  /** An object that comes to be selected is new to this watcher, one that no longer is has gone for it. */
  #pass({ collection, version, type, object, before }: Change): void {
    if (version <= this.#version) return
    this.#version = version
    if (collection !== this.#request.type.collection) return
    const is = type !== 'DELETED' && this.#isWanted(object)
    const was = before !== null && this.#isWanted(before)
    if (!is && !was) return
    const seen = fromStored(this.#request.type, object)
    const told = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED'
    this.#send(told, this.#reads.shown(this.#request, seen))
  }

  #isWanted(object: KubeObject): boolean {
    const { namespace, type } = this.#request
    return (namespace === '' || object.metadata.namespace === namespace) && this.#selected(fromStored(type, object))
  }

  #bookmark(more: Fields): void {
    const { type, query } = this.#request
    if (query.get('allowWatchBookmarks') !== 'true') return
    const metadata = { creationTimestamp: null, ...more, resourceVersion: String(this.#api.store.version) }
    const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata } as unknown as KubeObject
    this.#send('BOOKMARK', this.#reads.shown(this.#request, object))
  }

  #send(type: string, object: Fields): void {
    this.#out.write(`${JSON.stringify({ type, object })}\n`)
  }
}
