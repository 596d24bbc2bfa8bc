import { killApiServer, stopApiServer, withFault, withoutLaunches } from '../acts.ts'
import { writes } from '../kinds.ts'
import type { Row } from '../row.ts'
import { together } from '../watch-acts.ts'

const creates = writes['job-create']
/** A watch may have to be opened again and again. */
const slow = { noticeMs: 12_000, goneMs: 17_000 }

/** Requests that fail. */
export const failures: readonly Row[] = [
  {
    id: 'D2-too-many-requests',
    done: 'every create is answered 429 with Retry-After 1',
    holds: 'the newest slot only afterwards; the Lease is kept',
    act: withoutLaunches(
      withFault(creates, { do: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 }),
    ),
    seed: 82,
    longestOutageMs: 60_000,
  },
  {
    id: 'D3-server-errors',
    done: 'three in ten requests are answered 500, 503 or 504',
    holds: 'nothing twice, and what is missed is counted: a slot is retried until the next one is due',
    act: withoutLaunches(
      together(...[500, 503, 504].map((code) => withFault({}, { do: 'answer', code, reason: 'InternalError' }, 0.1))),
    ),
    seed: 83,
    mayBeUnready: true,
    ...slow,
  },
  {
    id: 'D4-slow',
    done: 'every request takes two seconds more',
    holds: 'a launch is at most 2.5 s late',
    act: withFault({}, { do: 'delay', ms: 2_000 }),
    seed: 84,
    lateMs: 2_500,
    mayBeUnready: true,
    ...slow,
  },
  {
    id: 'D5-api-server-killed',
    done: 'SIGKILL of the API server, and a start five seconds later',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: killApiServer,
    seed: 85,
    restMs: 25_000,
    longestOutageMs: 40_000,
  },
  {
    id: 'D5-api-server-stopped',
    done: 'SIGSTOP of the API server for 15 s',
    holds: 'ready again by itself; one run of each resource afterwards',
    act: stopApiServer(15_000),
    seed: 86,
    restMs: 25_000,
    mayServeOld: true,
    longestOutageMs: 40_000,
  },
]
