import type { Instant } from '../schedule/state.ts'
import { ownerLabel } from './names.ts'
import { sha256 } from './sha256.ts'
import { parseTime } from './time.ts'

/** The few fields of a Job that the operator reads. */
export interface Job {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly resourceVersion: string
  readonly createdAt: Instant
  readonly deleting: boolean
  /** The uid of the SecondCronJob that controls it, or null: then it is not ours. */
  readonly ownerUid: string | null
  /** The slot in its name, or null (a manual run, a foreign Job). */
  readonly slot: Instant | null
  readonly finished: Finish | null
}

export interface Finish {
  readonly result: 'Complete' | 'Failed'
  readonly at: Instant
}

/** Neither Complete nor Failed, and not being deleted. */
export function isActive(job: Job): boolean {
  return job.finished === null && !job.deleting
}

/** The deterministic name that makes the API server the lock of a slot. */
export function jobName(name: string, slot: Instant): string {
  return `${name}-${Math.floor(slot / 1_000)}`
}

/**
 * Of the extra run that a run-now token asks for: the same until the status tells that it was served, so that it runs
 * once; another one when the same token comes back later. `before`: how many tokens were served before this one.
 */
export function manualJobName(name: string, of: { readonly token: string; readonly before: number }): string {
  const first = sha256(of.token)
  return `${name}-m${(of.before === 0 ? first : sha256(`${of.before}/${first}`)).slice(0, 9)}`
}

interface RawJob {
  metadata?: {
    uid?: string
    namespace?: string
    name?: string
    resourceVersion?: string
    creationTimestamp?: string
    deletionTimestamp?: string
    labels?: Record<string, string>
    ownerReferences?: readonly { controller?: boolean; uid?: string; kind?: string }[]
  }
  status?: {
    completionTime?: string
    conditions?: readonly { type?: string; status?: string; lastTransitionTime?: string }[]
  }
}

/** Reads a Job, or its PartialObjectMetadata (which never looks finished). Throws on an object without identity. */
export function decodeJob(raw: unknown): Job {
  const { metadata = {}, status = {} } = raw as RawJob
  const identity = identityOf(metadata)
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true)
  return {
    ...identity,
    createdAt: parseTime(metadata.creationTimestamp) ?? 0,
    deleting: metadata.deletionTimestamp !== undefined,
    ownerUid: controller?.kind === 'SecondCronJob' ? (controller.uid ?? null) : null,
    slot: slotOf(identity.name, metadata.labels?.[ownerLabel]),
    finished: finishOf(status),
  }
}

function identityOf({ uid, namespace, name, resourceVersion }: NonNullable<RawJob['metadata']>) {
  if (uid === undefined || namespace === undefined || name === undefined || resourceVersion === undefined)
    throw new TypeError('a Job without uid, namespace, name or resourceVersion')
  return { uid, namespace, name, resourceVersion }
}

function slotOf(name: string, owner: string | undefined): Instant | null {
  if (owner === undefined) return null
  const digits = name.startsWith(`${owner}-`) ? name.slice(owner.length + 1) : ''
  return /^\d{1,10}$/.test(digits) ? Number(digits) * 1_000 : null
}

function finishOf(status: NonNullable<RawJob['status']>): Finish | null {
  for (const { type, status: value, lastTransitionTime } of status.conditions ?? []) {
    if (value !== 'True' || (type !== 'Complete' && type !== 'Failed')) continue
    return { result: type, at: parseTime(status.completionTime) ?? parseTime(lastTransitionTime) ?? 0 }
  }
  return null
}
