import { crashLoop, stopLeader, together, withFault, withoutLaunches } from '../acts.ts'
import type { Row } from '../row.ts'
import { byScan } from './measures.ts'
import { goneForGood, startOnStale } from '../server-acts.ts'
import { cutWatches, recreate, unseen } from '../user-acts.ts'
import { silence, withEvents } from '../watch-acts.ts'

const objects = { resource: 'secondcronjobs' }
const jobs = { resource: 'jobs' }

/** What is seen is old, late, or never seen. */
export const stale: readonly Row[] = [
  {
    id: 'B1-stale-start',
    done: 'SIGKILL every eight seconds; each start is onto LISTs that are at least fifteen seconds old, and watches four seconds late',
    holds: 'what was deleted since does not come back for long, and no status goes back',
    act: together(
      crashLoop(8_000),
      withFault({ verb: 'list' }, { do: 'replay', ageMs: 15_000 }),
      withEvents({}, {}, { do: 'delay', ms: 4_000 }),
    ),
    seed: 60,
    seconds: 30,
    noticeMs: 17_000,
    goneMs: 22_000,
  },
  {
    id: 'B1-stale-server',
    done: 'SIGKILL, and a start on a second API server that is told nothing new for ten seconds before it, and for ten more; it takes writes',
    holds: 'nothing is done by old lists; when there are new ones, it goes on',
    act: startOnStale,
    plane: { hasSecond: true },
    seed: 59,
    seconds: 40,
    ...byScan,
    longestOutageMs: 22_000,
  },
  {
    id: 'B2-old-lists',
    done: 'every LIST that was made before is answered as it was at least fifteen seconds ago, while the watches are well',
    holds: 'what is missing from it is not gone, what is in it no more does not come back',
    act: withFault({ verb: 'list' }, { do: 'replay', ageMs: 15_000 }),
    seed: 62,
    seconds: 30,
  },
  {
    id: 'B3-jobs-late',
    done: 'the watch of Jobs tells everything five seconds later',
    holds: 'what it has written itself it knows; nothing is deleted twice or too early',
    act: withEvents(jobs, {}, { do: 'delay', ms: 5_000 }),
    seed: 63,
  },
  {
    id: 'B4-objects-late',
    done: 'the watch of SecondCronJobs tells everything five seconds later',
    holds: 'the old schedule until the change is seen, then the new one',
    act: withEvents(objects, {}, { do: 'delay', ms: 5_000 }),
    seed: 64,
    noticeMs: 8_000,
    goneMs: 12_000,
  },
  {
    id: 'B5-recreated',
    done: 'a resource is deleted and created again under its name at once, again and again',
    holds: 'each uid has its own slots, and its own Jobs',
    act: recreate,
    seed: 65,
  },
  {
    id: 'B6-leader-stopped',
    done: 'SIGSTOP of the leader for 20 s, with Jobs that are deleted as soon as they may; then SIGCONT',
    holds: 'the name of a slot is free again, and it is not run again',
    act: stopLeader(20_000),
    seed: 61,
    replicas: 2,
    more: { successfulJobsHistoryLimit: 0 },
    longestOutageMs: 10_000,
    seconds: 25,
  },
  {
    id: 'C1-events-dropped',
    done: 'half of the ADDED, MODIFIED and DELETED events of SecondCronJobs never come, nor do the DELETED ones of Jobs',
    holds: 'the scan tells of it within 12 s',
    act: together(
      ...['ADDED', 'MODIFIED', 'DELETED'].map((type) => withEvents(objects, { type }, { do: 'drop' }, 0.5)),
      withEvents(jobs, { type: 'DELETED' }, { do: 'drop' }),
    ),
    seed: 71,
    ...byScan,
  },
  {
    id: 'C2-watches-silent',
    done: 'the open watches stay open, and are silent for ever',
    holds: 'the scan tells of everything within 12 s; /readyz says so before 60 s are over; new watches are opened',
    act: silence,
    seed: 72,
    unreadyWithinMs: 60_000,
    ...byScan,
    mayBeUnready: true,
    seconds: 65,
  },
  {
    id: 'C3-events-doubled-swapped',
    done: 'three in ten events of SecondCronJobs and of Jobs come twice, and two in ten after the next one',
    holds: 'the order of events is not relied on',
    act: together(
      ...[objects, jobs].flatMap((watched) => [
        withEvents(watched, {}, { do: 'double' }, 0.3),
        withEvents(watched, {}, { do: 'swap' }, 0.2),
      ]),
    ),
    seed: 73,
  },
  {
    id: 'C4-gone',
    done: 'no watch for five seconds; then the API server starts anew on an etcd that was compacted: a real 410',
    holds: 'new lists; what went meanwhile is noticed',
    act: goneForGood,
    seed: 74,
    restMs: 25_000,
    mayBeUnready: true,
    longestOutageMs: 25_000,
    ...byScan,
  },
  {
    id: 'C5-watches-broken',
    done: 'five events of Jobs in a thousand are a 410, four of SecondCronJobs in a hundred are half a line',
    holds: 'one new list for each, and no loop',
    act: together(withEvents(jobs, {}, { do: 'gone' }, 0.005), withEvents(objects, {}, { do: 'truncate' }, 0.04)),
    seed: 75,
    ...byScan,
  },
  {
    id: 'C6-watches-cut',
    done: 'all watches break off every five seconds',
    holds: 'they go on where they were: no storm of lists',
    act: cutWatches(5_000),
    seed: 76,
    mostLists: 60,
  },
  {
    id: 'C7-never-seen',
    done: 'no watch at all, while resources are created and half a second later deleted, between two scans',
    holds: 'no finalizer is left, and no Job',
    act: unseen,
    seed: 77,
    mayBeUnready: true,
    ...byScan,
  },
  ...(
    [
      ['C8-lookups-fail', 500, 'InternalError'],
      ['C8-lookups-forbidden', 403, 'Forbidden'],
      ['C8-lookups-not-found', 404, 'NotFound'],
    ] as const
  ).map(([id, code, reason], index) => ({
    id,
    done: `half of the events of SecondCronJobs never come, and every GET of one is answered ${code}, with a Status that names no object`,
    holds: 'nothing is taken for gone',
    act: withoutLaunches(
      together(
        withEvents(objects, {}, { do: 'drop' }, 0.5),
        withFault({ verb: 'get', resource: 'secondcronjobs' }, { do: 'answer', code, reason }),
      ),
    ),
    leastShare: 0.9,
    seed: 78 + 100 * (index + 1),
    seconds: 25,
    noticeMs: 40_000,
    goneMs: 45_000,
  })),
]
