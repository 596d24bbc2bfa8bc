import type { Traffic } from '../traffic.ts'
import type { Violation } from './violation.ts'

/** A Job is created and deleted, and its resource told of it now and then. */
const mostWritesPerLaunch = 4
/** The scan, takeovers and deletions, of a minute. */
const usualMostLists = 150

/** No hot loop: neither of writes nor of lists. */
export function checkTraffic(
  resource: string,
  { writesPerLaunch = 0, lists = 0 }: Traffic,
  mostLists = usualMostLists,
): readonly Violation[] {
  const details = [
    ...(writesPerLaunch > mostWritesPerLaunch ? [`${writesPerLaunch} writes a launch`] : []),
    ...(lists > mostLists ? [`${lists} lists, of at most ${mostLists}`] : []),
  ]
  return details.map((detail) => ({ kind: 'traffic', resource, detail }))
}
