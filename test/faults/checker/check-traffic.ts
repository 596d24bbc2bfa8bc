import type { Traffic } from '../traffic.ts'
import type { Violation } from './violation.ts'

/** A Job is created and deleted, and its resource told of it now and then. */
const mostWritesPerLaunch = 4
/** The scan, takeovers and deletions, of a minute. */
const usualMostLists = 150

export interface TrafficLimits {
  readonly mostLists?: number
  readonly mostAtOnce?: number
}

/** No hot loop, neither of writes nor of lists; no burst of creates. */
export function checkTraffic(
  resource: string,
  { writesPerLaunch = 0, lists = 0, createsAtOnce = 0 }: Traffic,
  { mostLists = usualMostLists, mostAtOnce = Number.POSITIVE_INFINITY }: TrafficLimits = {},
): readonly Violation[] {
  const details = [
    ...(writesPerLaunch > mostWritesPerLaunch ? [`${writesPerLaunch} writes a launch`] : []),
    ...(lists > mostLists ? [`${lists} lists, of at most ${mostLists}`] : []),
    ...(createsAtOnce > mostAtOnce ? [`${createsAtOnce} creates at once, of at most ${mostAtOnce}`] : []),
  ]
  return details.map((detail) => ({ kind: 'traffic', resource, detail }))
}
