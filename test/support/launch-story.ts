import { anApiError } from './builders.ts'
import { aLauncher } from './a-launcher.ts'
import { settle } from './manual-clock.ts'
import { at } from './times.ts'

const start = at('12:00:00')

/** What a webhook does with the creates of one resource: answers at once, denies, hangs until it is given up, or answers late (ms). */
export type Way = 'take' | 'deny' | 'hang' | number

export interface Sent {
  readonly uid: string
  readonly slot: number
  /** Seconds since the start, with a fraction. */
  readonly sentAt: number
  readonly limitMs: number
}

/** A launcher before a webhook; resources are named `NAMESPACE/NAME`, and due each second in the order given. */
export class LaunchStory {
  readonly #resources: readonly string[]
  readonly #launcher: ReturnType<typeof aLauncher>
  readonly #underway = new Map<Sent, 'known' | 'unknown'>()
  readonly #known = new Set<string>()
  readonly sent: Sent[] = []
  /** `UID SLOT OUTCOME` */
  readonly outcomes: string[] = []
  /** Most creates under way at once: of all, and of resources that had hung or been refused before. */
  most = 0
  mostKnown = 0
  /** How long the API server is busy with one create, while the others wait; 0 when it has time for all. */
  busyMs = 0
  #freeAt = 0
  #second = 0
  way: (uid: string) => Way = () => 'take'
  /** Until then (seconds since the start) the API server answers nobody; then all at once. */
  pausedUntil = 0

  constructor(resources: readonly string[], connections = 32) {
    this.#resources = resources
    this.#launcher = aLauncher({ connections, namespaceOf: (uid) => uid.slice(0, uid.indexOf('/')) })
    this.#launcher.jobs.onCreate = ({ metadata }, { timeoutMs }) => this.#answer(metadata.name, timeoutMs)
  }

  get launcher() {
    return this.#launcher.launcher
  }

  /** So many seconds, at the beginning of each of which every resource is due. */
  async seconds(count: number): Promise<this> {
    for (let n = 0; n < count; n += 1) {
      await this.#launcher.clock.advanceTo(start + this.#second * 1_000)
      for (const uid of this.#resources) this.launcher.launch(uid, start + this.#second * 1_000)
      await settle()
      this.#second += 1
    }
    await this.#launcher.clock.advanceTo(start + this.#second * 1_000 - 1)
    this.outcomes.push(...this.#launcher.outcomes())
    return this
  }

  /** Nothing more is due. */
  async quiet(ms: number): Promise<void> {
    await this.#launcher.clock.advance(ms)
    this.outcomes.push(...this.#launcher.outcomes())
  }

  /** Seconds from the slot to its create, of all slots of those resources that have been sent. */
  latest(of: (uid: string) => boolean): number {
    return Math.max(...this.sent.filter(({ uid }) => of(uid)).map(({ slot, sentAt }) => sentAt - slot))
  }

  /** Slots that were launched, of one resource. */
  launched(uid: string): readonly number[] {
    return this.outcomes.flatMap((line) => {
      const [, slot] = new RegExp(`^${uid}-(\\d+) launched`).exec(line) ?? []
      return slot === undefined ? [] : [Number(slot)]
    })
  }

  #answer(name: string, timeoutMs: number): Promise<void> | undefined {
    const { clock } = this.#launcher
    const dash = name.lastIndexOf('-')
    const [uid, slot] = [name.slice(0, dash), Number(name.slice(dash + 1))]
    const sent = { uid, slot, sentAt: (clock.now() - start) / 1_000, limitMs: timeoutMs }
    this.sent.push(sent)
    this.#underway.set(sent, this.#known.has(uid) ? 'known' : 'unknown')
    this.most = Math.max(this.most, this.#underway.size)
    this.mostKnown = Math.max(this.mostKnown, [...this.#underway.values()].filter((is) => is === 'known').length)
    return this.#served(sent).finally(() => this.#underway.delete(sent))
  }

  async #served(sent: Sent): Promise<void> {
    const { clock } = this.#launcher
    const way = this.way(sent.uid)
    if (typeof way === 'number' && way <= sent.limitMs) return clock.sleep(way)
    if (way === 'hang' || typeof way === 'number') {
      await clock.sleep(500)
      this.#known.add(sent.uid)
      await clock.sleep(sent.limitMs - 500)
      throw anApiError({ kind: 'ServerError', message: 'failed calling webhook "a": context deadline exceeded' })
    }
    this.#freeAt = Math.max(this.#freeAt, clock.monotonic()) + this.busyMs
    const queuedMs = this.busyMs === 0 ? 0 : this.#freeAt - clock.monotonic()
    const pauseMs = queuedMs + Math.max(0, (this.pausedUntil - sent.sentAt) * 1_000)
    await clock.sleep(Math.min(pauseMs, sent.limitMs) + 5)
    if (pauseMs > sent.limitMs) throw anApiError({ kind: 'ServerError', code: 504 })
    if (way === 'take') {
      this.#known.delete(sent.uid)
      return
    }
    this.#known.add(sent.uid)
    throw anApiError({ kind: 'Forbidden', code: 403, message: 'admission webhook "a" denied the request' })
  }
}

/** `NAMESPACE/NAME0` and so on. */
export function named(count: number, name: string): readonly string[] {
  return Array.from({ length: count }, (_, n) => `${name}${n}`)
}
