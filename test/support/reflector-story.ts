import assert from 'node:assert/strict'
import pino from 'pino'
import { Reflector } from '../../src/kube/reflector.ts'
import type { Transport } from '../../src/kube/transport.ts'
import { aTransport } from './a-transport.ts'
import { ManualClock, settle } from './manual-clock.ts'
import { ScriptedApiServer } from './scripted-api-server.ts'

export const object = (name: string, resourceVersion: string) => ({
  metadata: { name, resourceVersion, managedFields: ['large'] },
})

/** The name of the object; one called `broken` can't be read. */
function decode(raw: unknown): string {
  const { metadata } = raw as { metadata: { name: string; managedFields?: unknown } }
  assert.equal(metadata.managedFields, undefined)
  if (metadata.name === 'broken') throw new Error('no identity')
  return metadata.name
}

/** A reflector of names against a scripted API server, with a log of what it has told its sink. */
export class ReflectorStory {
  readonly server: ScriptedApiServer
  readonly clock: ManualClock
  readonly reflector: Reflector<string>
  readonly seen: string[] = []
  /** So many times something was logged: a list or a watch that failed. */
  failures = 0
  #awaited = 0
  /** What the sink does beside noting it. */
  onPut: () => void = () => undefined
  readonly #transport: Transport
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  static async start(): Promise<ReflectorStory> {
    const server = await ScriptedApiServer.start()
    const clock = new ManualClock('2026-01-01T12:00:00Z')
    return new ReflectorStory(server, clock, await aTransport(server, { clock }))
  }

  private constructor(server: ScriptedApiServer, clock: ManualClock, transport: Transport) {
    this.server = server
    this.clock = clock
    this.#transport = transport
    this.reflector = new Reflector({
      transport,
      clock,
      log: pino({ level: 'warn' }, { write: () => void (this.failures += 1) }),
      path: '/things',
      labelSelector: 'mine',
      decode,
      sink: {
        replace: (items) => void this.seen.push(`all ${items.join(' ')}`),
        put: (item) => {
          this.seen.push(`put ${item}`)
          this.onPut()
        },
        remove: (item) => void this.seen.push(`remove ${item}`),
      },
      random: () => 1,
    })
  }

  run(): void {
    this.#running = this.reflector.run(this.#stop.signal)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Waits until the sink has been told so many things: what is on the wire takes its own time. */
  async told(count: number): Promise<void> {
    while (this.seen.length < count) await settle()
  }

  /** Waits until the reflector waits: for what it was last asked has failed. */
  async paused(): Promise<void> {
    while (this.failures === this.#awaited) await settle()
    this.#awaited = this.failures
    await settle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.#transport.close()
    await this.server.end()
  }
}
