import { isWithin, type Outage, text } from './check-launches.ts'
import type { Violation } from './violation.ts'

/** What a probe said, and what the process took, at one moment. */
export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number
  readonly process: string
  readonly ready: number
  readonly healthy: number
  readonly rssMb: number
  readonly sockets: number
}

export interface ProcessLimits {
  readonly rssMb: number
  readonly sockets: number
}

/** Of which process somebody has made an end for a while, or a stop. */
export interface Absence extends Outage {
  readonly process: string
}

export interface Excuses {
  /** Times in which /readyz may say no. */
  readonly mayBeUnready: readonly Outage[]
  readonly absences: readonly Absence[]
}

/** A probe that waits for its answer in vain was asked so long before. */
const probeMs = 2_500
/** Until the loop of a process that stood still has turned again. */
const backMs = 1_000

/**
 * Whatever is wrong with the API server, the process lives and says so: /healthz says yes unless somebody has killed or stopped
 * it, and /readyz unless there is a reason. The limits hold always.
 */
export function checkProcess(
  samples: readonly Sample[],
  { mayBeUnready, absences }: Excuses,
  limits: ProcessLimits,
): readonly Violation[] {
  return samples.flatMap((sample) => {
    const isAbsent = absences.some(({ process, start, end }) => {
      return process === sample.process && sample.at >= start - probeMs && sample.at <= end + backMs
    })
    const isUnready = sample.ready !== 200 && !isAbsent && !isWithin(sample.at, mayBeUnready)
    const details = [
      sample.rssMb > limits.rssMb ? `${sample.rssMb} MB` : '',
      sample.sockets > limits.sockets ? `${sample.sockets} sockets` : '',
      isUnready ? `/readyz says ${sample.ready}` : '',
      sample.healthy !== 200 && !isAbsent ? `/healthz says ${sample.healthy}` : '',
    ]
    return details
      .filter((detail) => detail !== '')
      .map((detail) => ({
        kind: 'process' as const,
        resource: sample.process,
        detail: `${detail} at ${text(sample.at)}`,
      }))
  })
}
