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

/** Where nothing is wrong with the API server or the process, both probes say yes; the limits hold always. */
export function checkProcess(
  samples: readonly Sample[],
  outages: readonly Outage[],
  limits: ProcessLimits,
): readonly Violation[] {
  return samples.flatMap((sample) => {
    const details = [
      sample.rssMb > limits.rssMb ? `${sample.rssMb} MB` : '',
      sample.sockets > limits.sockets ? `${sample.sockets} sockets` : '',
      !isWithin(sample.at, outages) && sample.ready !== 200 ? `/readyz says ${sample.ready}` : '',
      !isWithin(sample.at, outages) && sample.healthy !== 200 ? `/healthz says ${sample.healthy}` : '',
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
