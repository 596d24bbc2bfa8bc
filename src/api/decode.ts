import type * as z from 'zod'
import { decodeSchedule, invalid, type Problem, reasonOf } from './decode-schedule.ts'
import { longestName, runNowAnnotation } from './names.ts'
import { conditionSchema, jobReferenceSchema, recentSchema, specSchema } from './schema.ts'
import type { JobTemplate, ParsedSpec, SecondCronJob, Status } from './secondcronjob.ts'
import { parseTime } from './time.ts'

type WireSpec = z.infer<typeof specSchema>
type Fields = Readonly<Record<string, unknown>>

/** Far above what a Pod's deepest field needs, which is below 20. */
const mostLevels = 100
const tooDeep = `spec: nested too deeply; write at most ${mostLevels} levels`
const mostTold = 10
const longestPath = 200

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
    finalizers: Array.isArray(meta['finalizers']) ? meta['finalizers'].filter(isText) : [],
    runNow: runNowOf(meta['annotations']),
    spec: decodeSpec(name, spec),
    status: decodeStatus(asRecord(status)),
  }
}

function runNowOf(annotations: unknown): string | null {
  const token = asRecord(annotations)[runNowAnnotation]
  return isText(token) && token !== '' ? token : null
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
    jobTemplate: templateOf(resourceName, wire, asRecord(raw)),
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
  return ['spec', ...path.map(String)].join('.').slice(0, longestPath)
}

/** The runtime's own JSON writer overflows the stack at a few thousand levels, which the API server lets through. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** A jobTemplate is passed on as it came, not as it was parsed: unknown fields stay where they are. */
function templateOf(resourceName: string, wire: WireSpec, raw: Fields): JobTemplate {
  if (wire.jobTemplate !== undefined) {
    const { labels = {}, annotations = {} } = wire.jobTemplate.metadata ?? {}
    return { metadata: { labels, annotations }, spec: asRecord(asRecord(raw['jobTemplate'])['spec']) }
  }
  const { image, command, args } = wire
  const container = {
    name: wire.name ?? resourceName,
    image,
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
  }
  return {
    metadata: { labels: {}, annotations: {} },
    spec: { backoffLimit: 3, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
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

const text = (value: unknown) => (isText(value) ? value : undefined)
const time = (value: unknown) => (isText(value) && rfc3339.test(value) && parseTime(value) !== null ? value : undefined)
const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined)
const list = (schema: z.ZodType) => (value: unknown) =>
  Array.isArray(value) ? value.flatMap((item) => parsedOrNone(schema, item)) : undefined

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
  conditions: list(conditionSchema),
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

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asRecord(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
