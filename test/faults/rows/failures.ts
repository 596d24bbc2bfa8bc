import { together, tooManyRequests, withFault, withoutLaunches } from '../acts.ts'
import { writes } from '../kinds.ts'
import type { Row } from '../row.ts'
import { away, overload } from '../overload-acts.ts'
import { forbiddenAtFirst, killApiServer, refusedAtTimes, stopApiServer, withoutRights } from '../server-acts.ts'
import { keepingLease } from '../lease-acts.ts'
import { otherWriter } from '../user-acts.ts'
import { byScan } from './measures.ts'
import { withEvents } from '../watch-acts.ts'

const creates = writes['job-create']

/** Requests that fail. */
export const failures: readonly Row[] = [
  {
    id: 'D1-other-writer',
    done: 'a resource is annotated twenty times a second, which is seen 5 s later; three in ten writes to resources are a 409',
    holds: 'no race is lost for ever: the status tells of each launch within 20 s',
    act: together(otherWriter, withEvents({ resource: 'secondcronjobs' }, {}, { do: 'delay', ms: 5_000 })),
    seed: 81,
    seconds: 35,
    noticeMs: 8_000,
    storedMs: 20_000,
    goneMs: 15_000,
  },
  {
    id: 'D2-too-many-requests',
    done: 'every create is answered 429 with Retry-After 1',
    holds: 'the newest slot only afterwards; the Lease is kept for the whole time',
    act: keepingLease(withoutLaunches(withFault(creates, tooManyRequests))),
    seed: 82,
  },
  {
    id: 'D2-overload',
    done: 'seven in ten requests for Jobs, resources and events are answered 429 with Retry-After 1, and one in ten for the Lease',
    holds: 'the Lease is not lost; what is missed is counted',
    act: withoutLaunches(overload),
    leastShare: 0.4,
    storedMs: 20_000,
    seed: 98,
    seconds: 60,
    // With the quiet before it half a minute.
    restMs: 22_000,
    mayBeUnready: true,
    ...byScan,
  },
  {
    id: 'D3-server-errors',
    done: 'more than a quarter of all requests is answered 500, 503 or 504',
    holds: 'nothing twice, and what is missed is counted: a slot is retried until the next one is due',
    act: withoutLaunches(
      together(...[500, 503, 504].map((code) => withFault({}, { do: 'answer', code, reason: 'InternalError' }, 0.1))),
    ),
    leastShare: 0.8,
    seed: 83,
    mayBeUnready: true,
    ...byScan,
  },
  {
    id: 'D4-slow',
    done: 'every request takes seven tenths of a second more',
    holds:
      'a launch is at most 2.6 s late (the lane of a namespace is wide after two or three answers), and none is lost',
    // 28 at a time are 40 a second: more are not due in the fullest one.
    act: withFault({}, { do: 'delay', ms: 700 }),
    seed: 84,
    lateMs: 2_600,
    // Behind launches that wait a status stands back, for fifteen seconds at most.
    storedMs: 20_000,
    ...byScan,
  },
  {
    id: 'D4-slower',
    done: 'every request takes two seconds more: more launches than may be on their way at a time',
    holds: 'only the newest slot of each is launched, and each other one is counted',
    act: withoutLaunches(withFault({}, { do: 'delay', ms: 2_000 })),
    leastShare: 0.5,
    seed: 97,
    lateMs: 2_500,
    // Behind launches that wait a status stands back, for fifteen seconds at most.
    storedMs: 20_000,
    ...byScan,
  },
  {
    id: 'D5-api-server-killed',
    done: 'SIGKILL of the API server, and a start five seconds later',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: killApiServer(),
    seed: 85,
    restMs: 25_000,
    longestOutageMs: 18_000,
  },
  {
    id: 'D5-api-server-stopped',
    done: 'SIGSTOP of the API server for 15 s',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: stopApiServer(15_000),
    seed: 86,
    restMs: 25_000,
    longestOutageMs: 22_000,
  },
  {
    id: 'D6-api-away',
    done: 'no connection to the API server, for the whole period of a minute',
    holds: 'the process lives; one run of each resource afterwards, the rest is counted',
    act: withoutLaunches(withFault({}, { do: 'refuse' })),
    seed: 87,
    seconds: 60,
    mayBeUnready: true,
    ...byScan,
  },
  {
    id: 'D6-api-away-ten-minutes',
    done: 'no connection to the API server for ten minutes, nor any that was open; 500 resources of 1 to 30 seconds',
    holds: 'the memory stays; one run of each resource afterwards, never more at once than there are connections',
    act: withoutLaunches(away),
    seed: 99,
    seconds: 600,
    size: { count: 500, longestSeconds: 30 },
    mostAtOnce: 32,
    mayBeUnready: true,
    // Ten times as many statuses as of the others, and all at once.
    storedMs: 20_000,
    ...byScan,
  },
  {
    id: 'D7-unauthorized',
    done: 'for four seconds of each ten every request is answered 401',
    holds: 'no 401 is the end; what is missed is counted',
    act: refusedAtTimes(401, 'Unauthorized', 4_000),
    seed: 88,
    mayBeUnready: true,
    ...byScan,
    longestOutageMs: 12_000,
  },
  {
    id: 'D8-rights-removed',
    done: 'all its rights are taken away for eight seconds',
    holds: 'nothing is taken for gone; one run of each resource afterwards',
    act: withoutRights(8_000),
    seed: 89,
    longestOutageMs: 22_000,
    ...byScan,
  },
  {
    id: 'D9-forbidden-at-first',
    done: 'SIGKILL of the API server; after its start everything is a 403 for five seconds',
    holds: 'nothing is taken for gone; one run of each resource afterwards',
    act: forbiddenAtFirst(5_000),
    seed: 90,
    restMs: 25_000,
    mayBeUnready: true,
    longestOutageMs: 30_000,
    ...byScan,
  },
]
