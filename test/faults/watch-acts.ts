import { setTimeout as delay } from 'node:timers/promises'
import { type Act, counted } from './acts.ts'
import type { EventFault, EventMatch, Match } from './proxy/rules.ts'

/** A fault of each event of these watches that is like this, or of a share of them. */
export function withEvents(match: Match, event: EventMatch, fault: EventFault, share = 1): Act {
  const what = `${fault.do} ${event.type ?? 'each event'} of ${match.resource ?? 'all'}`
  return counted(what, async (stage, until, on) => {
    stage.proxy.addForEvents({ id: 'event', match: { verb: 'watch', ...match }, event, fault, share, on })
    await delay(until - Date.now())
    stage.proxy.remove('event')
  })
}

/** All open watches say nothing any more, not even that they have ended. */
export const silence: Act = async (stage, until) => {
  stage.runs += stage.proxy.silence({ verb: 'watch' })
  await delay(until - Date.now())
}
