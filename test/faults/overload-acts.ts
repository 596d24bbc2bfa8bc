import { setTimeout as delay } from 'node:timers/promises'
import { usageOf } from '../support/usage.ts'
import { type Act, together, tooManyRequests, withFault } from './acts.ts'
import { keepingLease } from './lease-acts.ts'

/** Until it knows that the API server is away, and has given up what was on its way. */
const settledMs = 60_000
const burstMs = 6_000
/** A heap breathes by so much. */
const mostMoreMb = 20

/** No connection to the API server, and none of those that were open; the process may not grow meanwhile. */
export const away: Act = async (stage, until) => {
  const refused = withFault({}, { do: 'refuse' })(stage, until)
  stage.proxy.cut()
  await delay(Math.min(settledMs, (until - Date.now()) / 2))
  const { rssMb: before } = await usageOf(stage.operator.pid)
  await refused
  // One run of each of five hundred is some seconds of work for an API server of two cores.
  await delay(burstMs)
  const { rssMb: after } = await usageOf(stage.operator.pid)
  if (after > before + mostMoreMb)
    stage.wrongs.push(`${before} MB have become ${after} MB while the API server was away`)
}

/** An API server that has too much to do: it refuses most of what is asked, and of the Lease a tenth. */
export const overload: Act = keepingLease(
  together(
    withFault({ resource: 'leases' }, tooManyRequests, 0.1),
    withFault({ resource: 'jobs' }, tooManyRequests, 0.7),
    withFault({ resource: 'secondcronjobs' }, tooManyRequests, 0.7),
    withFault({ resource: 'events' }, tooManyRequests, 0.7),
  ),
)
