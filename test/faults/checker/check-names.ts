import { createHash } from 'node:crypto'
import { type AuditRecord, isLaunch } from '../../support/audit.ts'
import { type Look, text } from './check-launches.ts'
import type { Timeline } from './timeline.ts'
import { controllerOf, isManual, keyOf, slotIn } from './jobs-seen.ts'
import type { Violation } from './violation.ts'

interface Named {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[]
  }
}

const label = 'myyrakle.com/second-cron-job'
const slotAnnotation = 'myyrakle.com/scheduled-at'

/** Each Job that the operator creates is found by its name, its label and its owner; without one of them it is nobody's. */
export function checkNames(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  user: string,
): readonly Violation[] {
  const owners = new Map(timelines.map((timeline) => [timeline.uid, timeline]))
  const created = records.filter((record) => record.user === user && isLaunch(record))
  return created.flatMap((record) => {
    const { metadata = {} } = (record.response ?? record.request ?? {}) as Named
    const what = { kind: 'misnamed' as const, resource: keyOf(record), job: record.name }
    const uid = controllerOf(metadata)
    if (uid === null) return [{ ...what, detail: 'it has no owner' }]
    const owner = owners.get(uid)
    const details = owner === undefined ? ofNobody(record.name, metadata) : wrongs(owner, record.name, metadata)
    return details.map((detail) => ({ ...what, detail }))
  })
}

/** One of a slot whose owner never was is told of as an orphan. */
function ofNobody(name: string, metadata: NonNullable<Named['metadata']>): readonly string[] {
  return slotIn({ metadata }, name) === null ? ['its owner never was'] : []
}

function wrongs(
  owner: Timeline,
  name: string,
  { labels = {}, annotations = {} }: NonNullable<Named['metadata']>,
): readonly string[] {
  const slot = annotations[slotAnnotation] ?? 'nothing'
  const isItsOwn = name === `${owner.name}-${Date.parse(slot) / 1_000}` || manualNames(owner).includes(name)
  return [
    ...(isItsOwn ? [] : [`it is of ${owner.name} and of ${slot}`]),
    ...(labels[label] === owner.name ? [] : [`its label is ${labels[label] ?? 'not there'}, not ${owner.name}`]),
  ]
}

/** Of the runs that were asked for by hand. */
function manualNames(owner: Timeline): readonly string[] {
  return owner.tokens.flatMap((_, index) => namesOfToken(owner, index))
}

/** A token that comes again has another name by how many were served before it. */
function namesOfToken({ name, tokens }: Timeline, index: number): readonly string[] {
  const first = hashOf(tokens[index] ?? '')
  const others = Array.from({ length: index }, (_, before) => hashOf(`${before + 1}/${first}`))
  return [first, ...others].map((hash) => `${name}-m${hash.slice(0, 9)}`)
}

/** Each token is served once, the last one for certain: not before the finalizer, nor when the resource goes; that it is suspended is no matter. */
export function checkManual(
  timelines: readonly Timeline[],
  records: readonly AuditRecord[],
  { user, look }: { readonly user: string; readonly look: Pick<Look, 'stopMs'> },
): readonly Violation[] {
  const created = records.filter((record) => record.user === user && isLaunch(record) && isManual(record.name))
  const byOwner = Map.groupBy(created, ({ response = {} }) => controllerOf((response as Named).metadata))
  return timelines.flatMap((timeline) => {
    const own = byOwner.get(timeline.uid) ?? []
    const more = own.slice(timeline.tokens.length)
    const detail = `the run by hand number ${own.length}, and ${timeline.tokens.length} were asked for`
    return [
      ...more
        .slice(0, 1)
        .map(({ name }) => ({ kind: 'duplicate' as const, resource: keyOf(timeline), job: name, detail })),
      ...own.flatMap((record) => wrongTime(timeline, record, look.stopMs)),
      ...unserved(timeline, own),
    ]
  })
}

/** At rest, long after it was asked for. One before it may not have been seen. */
function unserved(timeline: Timeline, own: readonly AuditRecord[]): readonly Violation[] {
  const { tokens, statuses, chapters } = timeline
  const last = tokens.at(-1)
  const isGoing = chapters.some(({ deleting }) => deleting)
  if (last === undefined || isGoing || statuses.some(({ status }) => status['lastManualRun'] === last)) return []
  const names = new Set(namesOfToken(timeline, tokens.length - 1))
  if (own.some(({ name }) => names.has(name))) return []
  return [{ kind: 'lost', resource: keyOf(timeline), detail: `the run by hand that ${last} asked for` }]
}

function wrongTime({ chapters, guardedSince, ...owner }: Timeline, record: AuditRecord, stopMs: number): Violation[] {
  const { name: job, received } = record
  const what = { resource: keyOf(owner), job }
  const going = chapters.find(({ deleting }) => deleting)?.acknowledged ?? Number.POSITIVE_INFINITY
  if (received > going + stopMs)
    return [{ ...what, kind: 'stopped', detail: `${text(received)}, deleted at ${text(going)}` }]
  if (received >= (guardedSince ?? Number.POSITIVE_INFINITY)) return []
  return [{ ...what, kind: 'unguarded', detail: `at ${text(received)}, without a finalizer` }]
}

function hashOf(what: string): string {
  return createHash('sha256').update(what).digest('hex')
}
