import { Component } from '../control-plane/component.ts'
import { samplesOf } from './samples.ts'
import { bundle, imageEnv, nodeFlags } from './shipped.ts'

export interface OperatorOptions {
  readonly args?: readonly string[]
  /** Another one than the shipped bundle. */
  readonly bundle?: string
  /** How wrong its clock is. */
  readonly clock?: {
    /** From the start, and always. */
    readonly shiftMs?: number
    /** More, from each first SIGUSR2 to the next. */
    readonly stepMs?: number
  }
}

const shiftedClock = new URL('shifted-clock.ts', import.meta.url).href

/** The operator as it is shipped: the bundle, with the flags of the image. */
export class OperatorProcess {
  readonly port: number
  /** As it calls itself to the API server. */
  readonly name: string
  /** From its last start. */
  readyAfterMs = Number.NaN
  readonly #process: Component
  readonly #absences: { readonly start: number; end: number }[] = []

  constructor(port: number, folder: string, kubeconfig: string, options: OperatorOptions = {}) {
    const { args = [], clock } = options
    this.port = port
    const preload = clock === undefined ? [] : ['--import', shiftedClock]
    const command = [process.execPath, ...nodeFlags, ...preload, options.bundle ?? bundle] as const
    this.name = `operator-${port}`
    const access = ['--kubeconfig', kubeconfig, '--port', String(port), '--host', '127.0.0.1']
    const flags = [...access, '--pod-name', this.name, '--log-level', 'debug']
    this.#process = new Component(this.name, folder, [...command, ...flags, ...args], {
      ...process.env,
      ...imageEnv,
      CLOCK_SHIFT_MS: String(clock?.shiftMs ?? 0),
      CLOCK_STEP_MS: String(clock?.stepMs ?? 0),
    })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get isRunning(): boolean {
    return this.#process.isRunning
  }

  /** When it was killed, ended or stopped by a test until it was back; epoch milliseconds, Infinity while it is not. */
  get absences(): readonly { readonly start: number; readonly end: number }[] {
    return this.#absences
  }

  /** Starts it, and waits for nothing. */
  begin(): void {
    this.#process.start()
  }

  signal(signal: NodeJS.Signals): void {
    if (signal === 'SIGKILL' || signal === 'SIGSTOP') this.#leave()
    this.#process.signal(signal)
    if (signal === 'SIGCONT') this.#return()
  }

  /** Resolves when `/readyz` says so, and when it leads; a standby, when it is ready. */
  async start(as: 'leader' | 'standby' = 'leader'): Promise<this> {
    this.begin()
    const startedAt = performance.now()
    await this.#process.until(async () => (await this.probe('/readyz')) === 200, 20_000)
    if (as === 'leader') await this.#process.until(() => this.leads(), 20_000)
    this.#return()
    this.readyAfterMs = Math.round(performance.now() - startedAt)
    return this
  }

  async kill(): Promise<void> {
    this.#leave()
    await this.#process.end('SIGKILL')
  }

  /** The exit code. */
  terminate(): Promise<number | null> {
    this.#leave()
    return this.#process.end('SIGTERM')
  }

  /** The status of a probe, or 0 when nobody answers. */
  async probe(path: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    )
    return answer?.status ?? 0
  }

  async leads(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/healthz/leader`).catch(() => null)
    return answer !== null && (await answer.text()) === 'leader\n'
  }

  /** What `/metrics` says: the value of each `name{labels}`. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    return samplesOf(await (await fetch(`http://127.0.0.1:${this.port}/metrics`)).text())
  }

  log(): Promise<string> {
    return this.#process.log()
  }

  #leave(): void {
    if (this.#absences.at(-1)?.end !== Infinity) this.#absences.push({ start: Date.now(), end: Infinity })
  }

  #return(): void {
    const last = this.#absences.at(-1)
    if (last?.end === Infinity) last.end = Date.now()
  }
}
