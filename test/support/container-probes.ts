import type { ContainerSpec, Probe } from './pod-spec.ts'

/** Asks once; what a probe that isn't there says is nobody's to ask. */
export type Ask = (probe: Probe) => Promise<boolean>

/** Kubernetes' defaults. */
const defaults = { periodSeconds: 10, failureThreshold: 3 }

/** One probe of a container: asked each period, and failed after so many failures in a row. */
class PeriodicProbe {
  readonly #probe: Probe
  readonly #ask: Ask
  #nextAt = Number.NEGATIVE_INFINITY
  #failures = 0
  /** What the last answer was; null before the first. */
  answer: boolean | null = null

  constructor(probe: Probe, ask: Ask) {
    this.#probe = { ...defaults, ...probe }
    this.#ask = ask
  }

  get hasFailed(): boolean {
    return this.#failures >= (this.#probe.failureThreshold ?? defaults.failureThreshold)
  }

  /** `now` in milliseconds. */
  async step(now: number): Promise<void> {
    if (now < this.#nextAt) return
    this.#nextAt = now + (this.#probe.periodSeconds ?? defaults.periodSeconds) * 1_000
    this.answer = await this.#ask(this.#probe)
    this.#failures = this.answer ? 0 : this.#failures + 1
  }
}

/**
 * What the kubelet makes of the probes of a container: nothing but the startup probe is asked until that has succeeded
 * once; then liveness and readiness at once, and each in its period. A probe that is not there has succeeded.
 */
export class ContainerProbes {
  readonly #startup: PeriodicProbe | null
  readonly #liveness: PeriodicProbe | null
  readonly #readiness: PeriodicProbe | null
  isStarted = false
  isReady = false

  constructor(spec: Pick<ContainerSpec, 'startupProbe' | 'livenessProbe' | 'readinessProbe'>, ask: Ask) {
    const made = (probe: Probe | undefined) => (probe === undefined ? null : new PeriodicProbe(probe, ask))
    this.#startup = made(spec.startupProbe)
    this.#liveness = made(spec.livenessProbe)
    this.#readiness = made(spec.readinessProbe)
    this.isStarted = this.#startup === null
  }

  /** Whether the container is to be killed and started again. `now` in milliseconds. */
  async step(now: number): Promise<boolean> {
    if (!this.isStarted && this.#startup !== null) {
      await this.#startup.step(now)
      this.isStarted = this.#startup.answer === true
      if (!this.isStarted) return this.#startup.hasFailed
    }
    await Promise.all([this.#liveness?.step(now), this.#readiness?.step(now)])
    this.isReady = isReadyBy(this.#readiness, this.isReady)
    return this.#liveness?.hasFailed === true
  }
}

/** One failure alone changes nothing. */
function isReadyBy(probe: PeriodicProbe | null, before: boolean): boolean {
  if (probe === null || probe.answer === true) return true
  return before && !probe.hasFailed
}
