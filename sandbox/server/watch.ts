import type { ServerResponse } from 'node:http'
import { fromStored } from './events.ts'
import { gone } from './failure.ts'
import type { Api } from './api.ts'
import type { Fields, KubeObject } from './objects.ts'
import { type Reads, versionOf } from './reads.ts'
import type { ApiRequest } from './request.ts'
import { type Selector, selectorOf } from './selectors.ts'
import type { Change } from './store.ts'
import { apiVersionOf, definitions, type ResourceType } from './types.ts'

/** As the API server does it: now and then, and shortly before the end. */
const bookmarkEveryMs = 60_000
const bookmarkBeforeEndMs = 2_000
const longestWatchSeconds = 1_800

/** A stream of the changes of one collection. */
export class Watch {
  readonly #api: Api
  readonly #reads: Reads
  readonly #request: ApiRequest
  readonly #selected: Selector
  /** Aborts when there is no such resource any more. */
  readonly #undefined = new AbortController()
  #write: (line: string) => void = () => undefined
  /** The newest change that was looked at. */
  #version: number

  /** Throws Failure when the query is wrong. */
  constructor(api: Api, reads: Reads, request: ApiRequest) {
    this.#api = api
    this.#reads = reads
    this.#request = request
    this.#selected = selectorOf(request.type, request.query)
    this.#version = versionOf(request.query)
  }

  /** Resolves when its time is up, or when `signal` aborts. */
  async run(out: ServerResponse, signal: AbortSignal): Promise<void> {
    out.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    this.#write = (line) => void out.write(line)
    const { store } = this.#api
    const { type, query } = this.#request
    const isInitial = query.get('sendInitialEvents') === 'true'
    if (this.#version === 0 || isInitial) this.#sendAll(isInitial)
    const missed = store.since(this.#version)
    if (missed === null)
      return this.#send('ERROR', gone(`too old resource version: ${this.#version} (${store.version})`).status)
    for (const change of missed) this.#pass(change)
    const end = store.subscribe((change) => {
      this.#pass(change)
      if (isEndOf(type, change)) this.#undefined.abort()
    })
    await this.#wait(AbortSignal.any([signal, this.#undefined.signal]))
    end()
  }

  #sendAll(isInitial: boolean): void {
    const { type, namespace } = this.#request
    this.#version = this.#api.store.version
    for (const object of this.#api.store.list(type.collection, namespace))
      if (this.#isWanted(object)) this.#sendObject('ADDED', object)
    if (isInitial) this.#bookmark({ annotations: { 'k8s.io/initial-events-end': 'true' } })
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock } = this.#api
    const seconds = Number(this.#request.query.get('timeoutSeconds')) || longestWatchSeconds
    const endsAt = clock.monotonic() + seconds * 1_000
    for (let left = seconds * 1_000; left > 0 && !signal.aborted; left = endsAt - clock.monotonic()) {
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
    if (is) this.#sendObject(was ? 'MODIFIED' : 'ADDED', object)
    else if (was) this.#sendObject('DELETED', object)
  }

  #isWanted(object: KubeObject): boolean {
    const { namespace, type } = this.#request
    return (namespace === '' || object.metadata.namespace === namespace) && this.#selected(fromStored(type, object))
  }

  #bookmark(more: Fields): void {
    const { type, query } = this.#request
    if (query.get('allowWatchBookmarks') !== 'true') return
    const metadata = { creationTimestamp: null, ...more, resourceVersion: String(this.#api.store.version) }
    this.#sendObject('BOOKMARK', { kind: type.kind, apiVersion: apiVersionOf(type), metadata } as unknown as KubeObject)
  }

  #sendObject(event: string, object: KubeObject): void {
    this.#send(event, this.#reads.shown(this.#request, fromStored(this.#request.type, object)))
  }

  #send(type: string, object: Fields): void {
    this.#write(`${JSON.stringify({ type, object })}\n`)
  }
}

function isEndOf(type: ResourceType, { collection, object, ...change }: Change): boolean {
  return collection === definitions.collection && object.metadata.name === type.collection && change.type === 'DELETED'
}
