import pino from 'pino'
import { parseCommand } from '../../src/command-line.ts'
import { ClockOffset } from '../../src/kube/clock-offset.ts'
import type { ApiAnswer, ApiRequest, Transport } from '../../src/kube/transport.ts'
import { Operator } from '../../src/operator.ts'
import { anApiError, nextVersion } from './builders.ts'
import { ManualClock, settle } from './manual-clock.ts'

const name = 'beat'
const created = '2026-01-01T12:00:00Z'
const conditions = [
  {
    type: 'Accepted',
    status: 'True',
    reason: 'Accepted',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: created,
  },
]

interface RawLease {
  metadata: { resourceVersion: string }
  spec: { holderIdentity: string }
}

/** The whole operator, but for the process and the network: one resource of a second, and a Lease that nobody else wants. */
export class OperatorWorld {
  readonly clock = new ManualClock('2026-01-01T12:00:05.200Z')
  /** What was asked for, in its order: `POST jobs`, `LIST jobs` for a list of identities only, `end jobs` when a create ended. */
  readonly log: string[] = []
  readonly offset = new ClockOffset(this.clock, pino({ level: 'silent' }))
  /** How creates of Jobs are answered. */
  onCreate: (request: ApiRequest) => Promise<unknown> = async () => undefined
  /** Whether answers tell the time: of a server whose clock is never set. */
  tellsTime = false
  readonly #epoch = this.clock.now() - this.clock.monotonic()
  /** Of the Lease; empty when it was released. */
  holder: string | null = null
  #lease: RawLease | null = null
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor() {
    const command = parseCommand(['--port', '0', '--host', '127.0.0.1', '--pod-name', 'world'], {})
    if (command.kind !== 'run') throw new TypeError('no run')
    const transport = {
      request: (request: ApiRequest) => this.#request(request),
      stream: (_path: string, signal: AbortSignal, opened: () => void) => silence(signal, opened),
      warmUp: async () => undefined,
      keepFresh: async () => undefined,
      close: async () => undefined,
    } as unknown as Transport
    const { clock, offset } = this
    const log = pino({ level: 'silent' })
    const operator = new Operator({ config: command.config, transport, clock, log, offset, version: '1' })
    this.#running = operator.run(this.#stop.signal)
  }

  /** Lets time pass until it is so; throws after a minute of it. */
  async until(what: () => boolean): Promise<void> {
    for (let ms = 0; !what(); ms += 50) {
      if (ms > 60_000) throw new Error(`not within a minute: ${this.log.join(', ')}`)
      await this.clock.advance(50)
    }
  }

  /** SIGTERM. */
  terminate(): void {
    this.#stop.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.terminate()
    let ended = false
    void this.#running.then(() => (ended = true))
    await this.until(() => ended)
  }

  async #request(request: ApiRequest): Promise<ApiAnswer> {
    await settle()
    this.#tellTime()
    if (request.isWanted?.() === false) throw anApiError({ kind: 'NotSent' })
    const what = /\/(leases|jobs|secondcronjobs|events)\b/.exec(request.path)?.[1] ?? request.path
    if (what === 'leases') return { body: this.#leases(request), warnings: [] }
    const isScan = request.accept?.includes('PartialObjectMetadataList') === true
    if (isScan || request.method !== 'GET') this.log.push(`${isScan ? 'LIST' : request.method} ${what}`)
    return { body: await this.#others(what, request), warnings: [] }
  }

  #tellTime(): void {
    const now = this.clock.monotonic() + this.#epoch
    if (this.tellsTime) this.offset.observe(Math.floor(now / 1_000) * 1_000)
  }

  async #others(what: string, request: ApiRequest): Promise<unknown> {
    if (request.method === 'POST' && what === 'jobs') {
      await this.onCreate(request).finally(() => this.log.push('end jobs'))
      return undefined
    }
    const items = what === 'secondcronjobs' ? [this.#object()] : []
    if (request.method !== 'GET') return this.#object()
    for (const item of items) request.each?.(item, JSON.stringify(item).length)
    return { kind: 'List', metadata: { resourceVersion: '9' }, items: request.each === undefined ? items : [] }
  }

  #leases({ method, body }: ApiRequest): unknown {
    if (method === 'GET' && this.#lease === null) throw anApiError({ kind: 'NotFound', code: 404 })
    if (method === 'GET') return this.#lease
    const { spec } = body as RawLease
    if (spec.holderIdentity !== this.holder) this.log.push(spec.holderIdentity === '' ? 'release' : 'claim')
    this.holder = spec.holderIdentity
    this.#lease = { metadata: { resourceVersion: nextVersion() }, spec }
    return this.#lease
  }

  #object(): unknown {
    const metadata = {
      uid: 'uid-beat',
      namespace: 'default',
      name,
      resourceVersion: '5',
      generation: 1,
      creationTimestamp: created,
      finalizers: ['myyrakle.com/second-cron-job'],
    }
    return { metadata, spec: { intervalSeconds: 1, image: 'busybox' }, status: { observedGeneration: 1, conditions } }
  }
}

/** An open watch that says nothing. */
async function* silence(signal: AbortSignal, opened: () => void): AsyncGenerator<Buffer, void> {
  opened()
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  yield* []
}
