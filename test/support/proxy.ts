import type { ControlPlane } from '../control-plane/control-plane.ts'
import { FaultProxy } from '../faults/proxy/fault-proxy.ts'

const createOfJob = { verb: 'create', resource: 'jobs', dryRun: false }

/** The few faults that the end-to-end tests do by hand, by the URLs of requests. */
export class Proxy {
  readonly #proxy: FaultProxy

  static async start(plane: ControlPlane): Promise<Proxy> {
    return new Proxy(await FaultProxy.of(plane))
  }

  private constructor(proxy: FaultProxy) {
    this.#proxy = proxy
  }

  get url(): string {
    return this.#proxy.url
  }

  /** From now on the creates of Jobs, but not their trials, are committed, `committed` is called, and the connection is cut. */
  loseCreates(committed: () => void = () => undefined): void {
    this.#proxy.add({ id: 'lost', match: createOfJob, fault: { do: 'lose' }, on: { committed } })
  }

  /** From now on the creates of Jobs, but not their trials, are committed, the connection stays open, and no answer comes. */
  holdCreates(): void {
    this.#proxy.add({ id: 'held', match: createOfJob, fault: { do: 'hang', isForwarded: true } })
  }

  /** Later creates are answered again. */
  keepCreates(): void {
    this.#proxy.remove('lost')
  }

  /** The watches that are open now stay open and are silent for ever; later ones are forwarded. */
  silenceWatches(isMeant: (url: string) => boolean = () => true): number {
    return this.#proxy.silence({ where: ({ url }) => isMeant(url) })
  }

  /** Connections stay open, and nothing is answered any more: of all requests, or of those to some URLs. */
  freeze(isMeant: (url: string) => boolean = () => true): void {
    this.#proxy.add({ id: 'frozen', match: { where: ({ url }) => isMeant(url) }, fault: { do: 'hang' } })
    this.silenceWatches(isMeant)
  }

  /** Later requests are forwarded again; what was asked meanwhile never gets its answer. */
  thaw(): void {
    this.#proxy.remove('frozen', 'held')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]()
  }
}
