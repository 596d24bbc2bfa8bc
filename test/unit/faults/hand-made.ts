import type { Observed } from '../../faults/checker/checker.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'

/** A log that is written by hand: one resource `beat` of ten seconds, created at 12:00:00, and its Jobs. */

export const user = 'operator'
const uid = 'u-1'

export interface Change {
  readonly generation?: number
  readonly time: string
  readonly intervalSeconds?: number
  readonly suspend?: boolean
  readonly deleting?: boolean
  readonly finalizers?: readonly string[]
  readonly status?: object
  readonly policy?: string
  readonly annotations?: Readonly<Record<string, string>>
  /** More of its spec. */
  readonly more?: object
}

const base: AuditRecord = {
  verb: 'patch',
  group: 'myyrakle.com',
  resource: 'secondcronjobs',
  subresource: '',
  namespace: 'default',
  name: 'beat',
  user: 'admin',
  userAgent: '',
  code: 200,
  dryRun: false,
  received: 0,
  completed: 0,
}

export function resource(change: Omit<Change, 'time'> = {}, version = 0) {
  const defaults = {
    intervalSeconds: 10,
    suspend: false,
    deleting: false,
    finalizers: ['myyrakle.com/second-cron-job'],
    generation: 1,
  }
  const { intervalSeconds, suspend, deleting, finalizers, generation, status, policy, annotations, more } = {
    ...defaults,
    ...change,
  }
  return {
    metadata: {
      uid,
      name: 'beat',
      namespace: 'default',
      generation,
      creationTimestamp: '2026-01-01T12:00:00Z',
      resourceVersion: String(version),
      finalizers,
      ...(annotations !== undefined && { annotations }),
      ...(deleting && { deletionTimestamp: '2026-01-01T12:00:30Z' }),
    },
    spec: { intervalSeconds, suspend, ...(policy !== undefined && { concurrencyPolicy: policy }), ...more },
    ...(status !== undefined && { status }),
  }
}

/** A write to the resource. */
export function written(change: Change): AuditRecord {
  const received = at(change.time)
  const subresource = change.status === undefined ? '' : 'status'
  return { ...base, subresource, received, completed: received + 5, response: resource(change, received) }
}

/** It is deleted while it has no finalizer. */
export function removed(time: string): AuditRecord {
  const response = { kind: 'Status', status: 'Success', details: { name: 'beat', uid } }
  return { ...base, verb: 'delete', received: at(time), completed: at(time) + 5, response }
}

/** A request that is answered with "not found". */
export function missed(time: string): AuditRecord {
  return { ...base, code: 404, received: at(time), completed: at(time) + 5 }
}

export const job = (slot: string) => `beat-${at(slot) / 1_000}`

/** The create of the Job of `slot`. */
export function created(slot: string, received = slot, owner = uid): AuditRecord {
  const time = at(received)
  const labels = { 'myyrakle.com/second-cron-job': 'beat' }
  const annotations = { 'myyrakle.com/scheduled-at': `2026-01-01T${slot}Z` }
  const ownerReferences = [{ uid: owner, controller: true }]
  const response = { metadata: { name: job(slot), labels, annotations, ownerReferences } }
  const what = { verb: 'create', group: 'batch', resource: 'jobs', name: job(slot), user, code: 201 }
  return { ...base, ...what, received: time, completed: time + 2, response }
}

/** The API server has given up on its create; it is there all the same. */
export function unanswered(slot: string): AuditRecord {
  const { response, ...record } = created(slot)
  return { ...record, code: 504, request: response, response: { kind: 'Status', metadata: {} } }
}

/** The Job of the slot ends. */
export function finished(slot: string, time: string, type = 'Complete'): AuditRecord {
  const response = { metadata: { name: job(slot) }, status: { conditions: [{ type, status: 'True' }] } }
  const what = { verb: 'update', group: 'batch', resource: 'jobs', subresource: 'status', name: job(slot) }
  return { ...base, ...what, received: at(time), completed: at(time), response }
}

/** Its create is not in the log; that it is there shows by a write to it. */
export function seen(slot: string): AuditRecord {
  const what = { verb: 'update', group: 'batch', resource: 'jobs', subresource: 'status', name: job(slot) }
  return { ...base, ...what, received: at(slot) + 3_000, completed: at(slot) + 3_000, response: left(slot) }
}

/** Nothing else holds it, so the answer is a Status, which has metadata as the Job has. */
export function deleted(slot: string, time: string, by = user): AuditRecord {
  const what = { verb: 'delete', group: 'batch', resource: 'jobs', name: job(slot), user: by }
  const response = { kind: 'Status', metadata: {}, status: 'Success', details: { name: job(slot), kind: 'jobs' } }
  return { ...base, ...what, received: at(time), completed: at(time), response }
}

/** What is left of the Job of the slot. */
export function left(slot: string, { owner = uid, isDone = true } = {}) {
  const conditions = isDone ? [{ type: 'Complete', status: 'True' }] : []
  const metadata = { name: job(slot), namespace: 'default', creationTimestamp: `2026-01-01T${slot}Z` }
  return { metadata: { ...metadata, ownerReferences: [{ uid: owner, controller: true }] }, status: { conditions } }
}

export const rightStatus = {
  observedGeneration: 1,
  handledUntil: '2026-01-01T12:00:20Z',
  lastScheduleTime: '2026-01-01T12:00:20Z',
}

/** What a suspended one has in its status besides. */
export const suspendedStatus = {
  observedSchedule: 'suspended',
  conditions: [{ type: 'Ready', status: 'True', reason: 'Suspended' }],
}

/** Three slots, all launched, none left, at rest since. */
export function observed(records: readonly AuditRecord[], change: Partial<Observed> = {}): Observed {
  return {
    records: [written({ time: '12:00:00.100' }), ...records],
    user,
    finals: { at: at('12:01:00'), resources: [resource({ status: rightStatus })], jobs: [] },
    samples: [],
    mayBeUnready: [],
    absences: [],
    look: { from: at('12:00:00'), until: at('12:00:30'), outages: [], noticeMs: 3_000, stopMs: 1_000, lateMs: 1_000 },
    goneMs: 5_000,
    storedMs: 120_000,
    limits: { rssMb: 100, sockets: 70 },
    faultsEnd: at('12:00:05'),
    ...change,
  }
}

export const allThree = [created('12:00:00', '12:00:00.500'), created('12:00:10'), created('12:00:20', '12:00:20.004')]
