import { withoutLaunches } from '../acts.ts'
import { crdRecreated, crdTightened } from '../user-acts.ts'
import type { Row } from '../row.ts'
import { keepingLease } from '../lease-acts.ts'
import { failingDisk, slowDisk } from '../disk-acts.ts'
import { fullEtcd, slowEtcd, stopEtcd, stopManager } from '../server-acts.ts'
import { back } from './measures.ts'
import { foreignJob, meddle, replaceJobs } from '../job-acts.ts'
import { namespacesGo, oddResources, podsRefused, refusedElsewhere } from '../refusal-acts.ts'

/** In tests etcd does not wait for its disk otherwise. */
const synced = { etcdArgs: ['--unsafe-no-fsync=false'] }

/** etcd and the controller manager. */
const below: readonly Row[] = [
  {
    id: 'E1-etcd-slow-50',
    done: 'etcd stands still for 50 ms of each 100',
    holds: 'the Lease is kept; a launch is at most 2 s late',
    act: keepingLease(slowEtcd(50, 50)),
    seed: 91,
    lateMs: 2_000,
  },
  {
    id: 'E1-etcd-slow-500',
    done: 'etcd stands still for 500 ms of each 1,000',
    holds: 'a launch is at most 2.5 s late',
    act: slowEtcd(500, 500),
    seed: 92,
    lateMs: 2_500,
    goneMs: 10_000,
    mayBeUnready: true,
  },
  {
    id: 'E1-disk-slow-50',
    done: 'each fdatasync of etcd takes 50 ms more',
    holds: 'the Lease is kept; a launch is at most 2 s late',
    act: keepingLease(slowDisk(50)),
    plane: synced,
    seed: 401,
    lateMs: 2_000,
  },
  {
    id: 'E1-disk-slow-500',
    done: 'each fdatasync of etcd takes 500 ms more: more launches than can be stored',
    holds: 'the Lease is kept; only the newest slot of each is launched, and each other one is counted',
    act: keepingLease(withoutLaunches(slowDisk(500))),
    plane: synced,
    seed: 402,
    lateMs: 2_600,
    goneMs: 10_000,
    mayBeUnready: true,
  },
  {
    id: 'E1-disk-fails',
    done: 'each fdatasync of etcd fails with EIO, and it ends; five seconds later it is started on a disk that is well',
    holds: 'nothing twice, and what is missed is counted; it goes on by itself, without a restart',
    act: failingDisk(5_000),
    plane: synced,
    seed: 403,
    ...back,
    longestOutageMs: 18_000,
  },
  {
    id: 'E2-etcd-stopped-5',
    done: 'SIGSTOP of etcd for 5 s, with two replicas',
    holds: 'at most one of them acts',
    act: stopEtcd(5_000),
    seed: 93,
    replicas: 2,
    ...back,
    longestOutageMs: 12_000,
  },
  {
    id: 'E2-etcd-stopped-20',
    done: 'SIGSTOP of etcd for 20 s, with two replicas',
    holds: 'at most one of them acts',
    act: stopEtcd(20_000),
    seed: 94,
    replicas: 2,
    ...back,
    longestOutageMs: 27_000,
  },
  {
    id: 'E3-etcd-full',
    done: 'etcd has reached its quota and takes no writes for 8 s; then it is given room',
    holds: 'it goes on by itself, without a restart',
    act: fullEtcd(8_000),
    seed: 95,
    plane: { etcdArgs: ['--quota-backend-bytes=33554432'] },
    ...back,
    longestOutageMs: 18_000,
  },
  {
    id: 'E4-manager-stopped',
    done: 'SIGSTOP of the controller manager for 10 s, under Forbid',
    holds: 'never two Jobs at work, none of them deleted',
    act: stopManager(10_000),
    seed: 96,
    more: { concurrencyPolicy: 'Forbid' },
    restMs: 25_000,
  },
]

/** The cluster says no. */
const refusals: readonly Row[] = [
  ...(
    [
      ['F1', 'quota', 'a quota of no Jobs'],
      ['F2', 'hanging', 'a webhook that answers nothing'],
      ['F2', 'denied', 'a webhook that denies everything'],
      ['F3', 'invalid', 'templates that are edited into invalid ones'],
    ] as const
  ).map(([id, name, words], index) => ({
    id: `${id}-${name}`,
    done: `ten other resources, in another namespace, are refused by ${words}`,
    holds: 'an Event and a condition tell of it; these fifty lose nothing; the others go on afterwards',
    act: refusedElsewhere(name),
    seed: 110 + index,
  })),
  {
    id: 'F4-pods-refused',
    done: 'in another namespace Pod Security refuses all Pods of a Job under Forbid',
    holds: 'one Job, and the status counts it as active',
    act: podsRefused,
    seed: 114,
  },
  {
    id: 'F5-namespaces-deleted',
    done: 'namespaces with five resources that run are deleted, one after the other',
    holds: 'each is gone within 30 s',
    act: namespacesGo,
    seed: 115,
  },
  {
    id: 'F6-crd-recreated',
    done: 'the CRD is deleted with everything in it, and some seconds later created again, and fifty resources',
    holds: 'no crash, no old Job is left, and the new resources run',
    act: crdRecreated,
    seed: 116,
    plane: {},
    ...back,
    // The new ones are there, and the API server is well, before the outage is over.
    noticeMs: 3_000,
    restMs: 40_000,
    longestOutageMs: 27_000,
  },
  {
    id: 'F7-crd-tightened',
    done: 'the schema allows no interval above four seconds any more, and a fifth of the resources has one',
    holds: 'they run on, and their statuses are stored',
    act: crdTightened,
    seed: 117,
    plane: {},
  },
]

/** Objects that nobody would expect. */
const odd: readonly Row[] = [
  {
    id: 'H1-odd-resources',
    done: 'ten odd resources a second are created in another namespace: labels, sizes, times and zones that cannot be',
    holds: 'these fifty lose nothing',
    act: oddResources,
    seed: 131,
  },
  {
    id: 'H2-jobs-meddled-with',
    done: 'three times a second a Job of ours is deleted, disowned, loses its label or gets a finalizer',
    holds: 'no slot is run again; the status tells the truth',
    act: meddle,
    seed: 132,
  },
  {
    id: 'H3-foreign-job',
    done: 'in another namespace a Job of somebody else has the name of a slot to come',
    holds: 'it is neither adopted nor deleted; an Event says so; the next slot is run',
    act: foreignJob,
    seed: 133,
  },
  {
    id: 'H5-jobs-replaced',
    done: 'finished Jobs of ours are deleted and others take their names, while Jobs are told of five seconds late',
    holds: 'nothing is deleted by its name alone',
    act: replaceJobs,
    seed: 135,
    seconds: 20,
  },
]

export const refused: readonly Row[] = [...below, ...refusals, ...odd]
