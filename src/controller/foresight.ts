import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { Clock } from '../clock.ts'
import { foresee } from '../schedule/slots.ts'
import { inPieces } from './in-pieces.ts'
import type { View } from './ports.ts'
import { gridOf } from './track.ts'

export interface ForesightParts {
  readonly clock: Clock
  readonly objects: Pick<View<SecondCronJob>, 'values'>
  /** Creates wait for a connection. */
  readonly isBusy: () => boolean
}

/** After the whole second: by then what was due in it has been written. */
const afterTickMs = 500
const lookAgainMs = 25
/** After so many looks there is just enough of the second left. */
const mostLooks = 10

/**
 * In the quiet half of each second the slots of all schedules are calculated ahead, so that the moment in which they are
 * due finds them there. A standby does it as well: a takeover finds them too.
 */
export class Foresight {
  readonly #parts: ForesightParts

  constructor(parts: ForesightParts) {
    this.#parts = parts
  }

  /** Resolves when `signal` has aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    while (!signal.aborted) {
      await inPieces(clock, this.#parts.objects.values(), (object) => this.#look(object), signal)
      await clock.sleepUntil(quietAfter(clock.now()), signal)
      for (let looks = 0; looks < mostLooks && this.#parts.isBusy(); looks += 1) await clock.sleep(lookAgainMs, signal)
    }
  }

  #look(object: SecondCronJob): void {
    if (object.spec.valid && !object.spec.suspend) foresee(gridOf(object), this.#parts.clock.now())
  }
}

function quietAfter(now: number): number {
  return (Math.floor((now - afterTickMs) / 1_000) + 1) * 1_000 + afterTickMs
}
