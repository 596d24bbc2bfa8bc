import type * as z from 'zod'
import { cut, longestSentence } from './cut.ts'
import { decodeSchedule, invalid, type Problem, reasonOf } from './decode-schedule.ts'
import { asRecord, type Fields, isRecord, isText } from './fields.ts'
import { heldFinalizers } from './held-finalizers.ts'
import { longestName, longestRunNowToken, runNowAnnotation } from './names.ts'
import { specSchema } from './schema.ts'
import { conditionSchema, jobReferenceSchema, recentSchema } from './status-schema.ts'
import type { ParsedSpec, SecondCronJob, Status } from './secondcronjob.ts'
import { sha256 } from './sha256.ts'
import { heldTemplate, type JobTemplate, templateOf } from './template.ts'
import { parseTime } from './time.ts'

type WireSpec = z.infer<typeof specSchema>

/** Far above what a Pod's deepest field needs, which is below 20. */
const mostLevels = 100
const tooDeep = `spec: nested too deeply; write at most ${mostLevels} levels`
const mostTold = 10
const longestPath = 200
const longestWord = 256
const mostListed = 10

/**
 * Reads an object as it comes from the API server. Throws TypeError only when it has no identity; anything else that is
 * wrong is in `spec.problems`, since an object that a schema older than ours let in must be shown, not lost.
 */
export function decodeSecondCronJob(raw: unknown): SecondCronJob {
  const { metadata, spec, status } = asRecord(raw)
  const meta = asRecord(metadata)
  const { uid, namespace, name, resourceVersion } = meta
  if (!isText(uid) || !isText(namespace) || !isText(name) || !isText(resourceVersion))
    throw new TypeError('a SecondCronJob without uid, namespace, name or resourceVersion')
  return {
    uid,
    namespace,
    name,
    resourceVersion,
    generation: typeof meta['generation'] === 'number' ? meta['generation'] : 0,
    createdAt: parseTime(meta['creationTimestamp']) ?? 0,
    deletingSince: parseTime(meta['deletionTimestamp']),
    finalizers: heldFinalizers(meta['finalizers']),
    runNow: runNowOf(meta['annotations']),
    spec: decodeSpec(name, spec),
    status: decodeStatus(asRecord(status)),
  }
}

/** The template of an object whose spec is right, as it comes from the API server. */
export function decodeTemplate(raw: unknown): JobTemplate {
  const { metadata, spec } = asRecord(raw)
  return templateOf(String(asRecord(metadata)['name']), asRecord(spec))
}

function runNowOf(annotations: unknown): string | null {
  const token = asRecord(annotations)[runNowAnnotation]
  if (!isText(token) || token === '') return null
  return token.length <= longestRunNowToken ? token : tooLong(token)
}

/** Long enough to be seen to be too long; another one for each token. */
function tooLong(token: string): string {
  return `${cut(token, longestRunNowToken)}… ${sha256(token)}`
}

function decodeSpec(resourceName: string, raw: unknown): ParsedSpec {
  if (isDeeperThan(mostLevels, raw)) return { valid: false, reason: 'InvalidSpec', problems: [tooDeep] }
  const parsed = specSchema.safeParse(withoutNulls(asRecord(raw), ['jobTemplate', 'metadata']))
  const schedule = parsed.success ? decodeSchedule(parsed.data) : []
  const problems = [
    ...nameProblems(resourceName),
    ...('kind' in schedule ? [] : schedule),
    ...(parsed.success ? bodyProblems(parsed.data) : issuesOf(parsed.error)).map(invalid),
  ]
  if (!parsed.success || !('kind' in schedule) || problems.length > 0)
    return { valid: false, reason: reasonOf(problems), problems: problems.map(({ text }) => text) }
  const wire = parsed.data
  return {
    valid: true,
    schedule,
    suspend: wire.suspend,
    startingDeadlineSeconds: wire.startingDeadlineSeconds ?? null,
    concurrencyPolicy: wire.concurrencyPolicy,
    activeJobsLimit: wire.activeJobsLimit,
    successfulJobsHistoryLimit: wire.successfulJobsHistoryLimit,
    failedJobsHistoryLimit: wire.failedJobsHistoryLimit,
    jobTemplate: heldTemplate(templateOf(resourceName, asRecord(raw))),
  }
}

function nameProblems(name: string): readonly Problem[] {
  if (/^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$/.test(name)) return []
  const remedy = `create it anew under a name of at most ${longestName} lower case letters, digits and -`
  return [invalid(`metadata.name: ${name} can't be served; ${remedy}`)]
}

/** The twins of the CEL rules in `scripts/crd.ts`. */
function bodyProblems(spec: WireSpec): readonly string[] {
  const problems: string[] = []
  const bodies = [spec.jobTemplate, spec.image].filter((value) => value !== undefined).length
  if (bodies === 0) problems.push('spec: nothing to run; write either jobTemplate or image')
  if (bodies === 2) problems.push('spec: jobTemplate and image at once; write one of them')
  const shorthand = [spec.name, spec.command, spec.args].some((value) => value !== undefined)
  if (shorthand && spec.image === undefined)
    problems.push('spec: name, command and args go with image; move them into jobTemplate')
  return problems
}

function issuesOf({ issues }: z.ZodError): readonly string[] {
  const told = issues.slice(0, mostTold).map(({ path, message }) => `${fieldOf(path)}: ${message}`)
  return issues.length > mostTold ? [...told, `spec: ${issues.length - mostTold} more; mend these first`] : told
}

/** A path may hold a key of the user's making, of any length. */
function fieldOf(path: readonly PropertyKey[]): string {
  return cut(['spec', ...path.map(String)].join('.'), longestPath)
}

/** The runtime's own JSON writer overflows the stack at a few thousand levels, which the API server lets through. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Field by field: what does not parse is absent. */
function decodeStatus(raw: Fields): Status {
  const status: Record<string, unknown> = {}
  for (const [field, read] of Object.entries(statusFields)) {
    const value = read(raw[field])
    if (value !== undefined) status[field] = value
  }
  return status
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

const text = (value: unknown) => (isText(value) ? cut(value, longestWord) : undefined)
const time = (value: unknown) => (isText(value) && rfc3339.test(value) && parseTime(value) !== null ? value : undefined)
const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined)
const list = (schema: z.ZodType) => (value: unknown) =>
  Array.isArray(value) ? value.slice(0, mostListed).flatMap((item) => parsedOrNone(schema, item)) : undefined

const statusFields: Readonly<Record<keyof Status, (value: unknown) => unknown>> = {
  observedGeneration: count,
  observedSchedule: text,
  scheduleSince: time,
  handledUntil: time,
  lastScheduleTime: time,
  lastSuccessfulTime: time,
  lastFailedTime: time,
  nextScheduleTime: time,
  active: list(jobReferenceSchema),
  activeCount: count,
  missedCount: count,
  skippedCount: count,
  recent: list(recentSchema),
  lastManualRun: text,
  manualRunCount: count,
  conditions: conditionsOf,
}

/** The first of each type: nobody writes more, but the schema would let them. */
function conditionsOf(value: unknown): unknown {
  if (!Array.isArray(value)) return undefined
  const found = new Map<string, unknown>()
  for (const item of value) {
    const { success, data } = conditionSchema.safeParse(item)
    if (success && !found.has(data.type)) found.set(data.type, { ...data, message: cut(data.message, longestSentence) })
  }
  return [...found.values()]
}

function parsedOrNone(schema: z.ZodType, item: unknown): unknown[] {
  const parsed = schema.safeParse(item)
  return parsed.success ? [parsed.data] : []
}

/** An explicit null is the same as nothing, as the API server has it; in `record`, and along the path below it. */
function withoutNulls(record: Fields, [inner, ...further]: readonly string[]): Fields {
  const kept = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
  const child = inner === undefined ? undefined : kept[inner]
  return inner === undefined || !isRecord(child) ? kept : { ...kept, [inner]: withoutNulls(child, further) }
}
