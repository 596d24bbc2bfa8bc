import type { KubeObject } from '../test/support/admin.ts'
import { conditionOf } from '../test/support/admin.ts'
import type { AuditRecord } from '../test/support/audit.ts'
import type { Look } from './follow.ts'
import { clockTime, type Sample, slotOf, titleOf } from './samples.ts'

/** Shows one look after the other. */
export type View = (look: Look) => void

const columns = ['RESOURCE', 'SCHEDULE', 'LAST (UTC)', 'NEXT (UTC)', 'ACTIVE', 'LATENESS', 'STATE'] as const
const clearBelow = '\x1b[J'

/** A table that stays in its place. */
export function liveTable(terminal: NodeJS.WriteStream): View {
  let height = 0
  return (look) => {
    const up = height === 0 ? '' : `\x1b[${height}A`
    const lines = table([columns, ...rowsOf(look)]).map((line) => line.slice(0, terminal.columns - 1))
    terminal.write(`${up}\r${clearBelow}${lines.join('\n')}\n`)
    height = lines.length
  }
}

/** A line for each launch, for each slot that was not launched, and for each change of a state. */
export function plainLines(say: (line: string) => void): View {
  const states = new Map<string, string>()
  const told = new Set<string>()
  let printed = 0
  say('times are UTC; the run at creation waits until its resource is accepted, and has no lateness')
  return (look) => {
    for (const resource of look.resources) {
      const [title, state] = [titleIn(resource), stateOf(resource)]
      if (states.get(title) !== state && state !== '') say(stateLine(title, state))
      states.set(title, state)
    }
    for (const record of look.records.slice(printed)) {
      const sample = look.samples.find((each) => each.isLaunch(record) || each.isManualRun(record))
      if (sample !== undefined) say(launchLine(sample, record))
    }
    printed = look.records.length
    for (const [key, line] of look.resources.flatMap((each) => [...warned(each), ...notLaunched(each)])) {
      if (!told.has(key)) say(line)
      told.add(key)
    }
  }
}

function launchLine(sample: Sample, record: AuditRecord): string {
  const isManual = sample.isManualRun(record)
  const slot = slotOf(record.name)
  const late = latenessOf(sample, record)
  const how = isManual ? 'run-now' : late === atCreation ? late : `${late.padStart(9)} late`
  const title = titleOf(sample.namespace, record.name).padEnd(32)
  return `${clockTime(isManual ? record.received : slot)}  ${title}  ${how}`
}

function stateLine(title: string, state: string): string {
  return `${' '.repeat(10)}${title.padEnd(34)}${state}`
}

/** A line for what is wrong with a template that is accepted all the same, and what tells it from the others. */
function warned(resource: KubeObject): readonly (readonly [key: string, line: string])[] {
  const warning = warningOf(resource)
  if (warning === '') return []
  return [[`${String(resource.metadata['uid'])} ${warning}`, stateLine(titleIn(resource), warning)]]
}

/** A line for each slot that the status says was skipped, missed or refused, and what tells it from the others. */
function notLaunched(resource: KubeObject): readonly (readonly [key: string, line: string])[] {
  const { recent = [] } = statusOf(resource)
  return recent
    .toReversed()
    .map(({ slot, outcome, reason }) => [
      `${String(resource.metadata['uid'])} ${slot} ${outcome}`,
      `${clockTime(Date.parse(slot))}  ${titleIn(resource).padEnd(32)}  ${outcome.toLowerCase()}: ${reason}`,
    ])
}

function titleIn({ metadata: { namespace = 'default', name } }: KubeObject): string {
  return titleOf(namespace, name)
}

type Row = readonly [string, ...string[]]

function rowsOf(look: Look): readonly Row[] {
  return look.resources.map((resource) => {
    const { name, namespace = 'default' } = resource.metadata
    const { nextScheduleTime, activeCount = 0 } = statusOf(resource)
    const [last, late] = lastLaunch(look, name, namespace)
    return [
      titleIn(resource),
      scheduleOf(resource),
      last,
      nextScheduleTime === undefined ? '' : clockTime(Date.parse(nextScheduleTime)),
      String(activeCount),
      late,
      [stateOf(resource), warningOf(resource)].filter(Boolean).join('; '),
    ]
  })
}

function lastLaunch({ samples, records }: Look, name: string, namespace: string): readonly [string, string] {
  const sample = samples.findLast((each) => each.name === name && each.namespace === namespace)
  const last = records.findLast((record) => sample?.isLaunch(record))
  if (sample === undefined || last === undefined) return ['', '']
  return [clockTime(slotOf(last.name)), latenessOf(sample, last)]
}

interface Spec {
  readonly intervalSeconds?: number
  readonly interval_seconds?: number
  readonly schedule?: string
  readonly timeZone?: string
}

/** As it is written, also while nothing is launched by it: why not is the state. */
function scheduleOf(resource: KubeObject): string {
  const { intervalSeconds, interval_seconds, schedule, timeZone = 'UTC' } = resource['spec'] as Spec
  if (schedule !== undefined) return `${schedule} (${timeZone})`
  return `every ${intervalSeconds ?? interval_seconds}s`
}

interface Status {
  readonly recent?: readonly { readonly slot: string; readonly outcome: string; readonly reason: string }[]
  readonly nextScheduleTime?: string
  readonly activeCount?: number
  readonly lastFailedTime?: string
  readonly lastSuccessfulTime?: string
}

function statusOf(resource: KubeObject): Status {
  return resource['status'] ?? {}
}

/** In the operator's own words, which it has from the API server. */
function stateOf(resource: KubeObject): string {
  const accepted = conditionOf(resource, 'Accepted')
  if (accepted?.status === 'False') return `not accepted: ${accepted.message}`
  const { reason = '' } = conditionOf(resource, 'Ready') ?? {}
  if (reason === 'Suspended') return reason
  const failing = conditionOf(resource, 'Failing')
  if (failing?.status === 'True') return `failing: ${failing.message}`
  return haveFailed(statusOf(resource)) ? 'its Jobs fail' : reason
}

/** What the operator's condition tells behind its own words, such as a field that is misspelt; empty when nothing. */
function warningOf(resource: KubeObject): string {
  const { status, message = '' } = conditionOf(resource, 'Accepted') ?? {}
  return status === 'True' ? message.split('; ').slice(1).join('; ') : ''
}

function haveFailed({ lastFailedTime = '', lastSuccessfulTime = '' }: Status): boolean {
  return lastFailedTime > lastSuccessfulTime
}

const atCreation = 'at creation'

/** Of the run at creation nothing is told: a creation is noted in whole seconds, and nothing runs before it is accepted. */
function latenessOf(sample: Sample, record: AuditRecord): string {
  return sample.isAtCreation(record) ? atCreation : `${(record.received - slotOf(record.name)).toFixed(1)} ms`
}

function table(rows: readonly Row[]): readonly string[] {
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  )
}
