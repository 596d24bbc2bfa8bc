import type { KubeObject } from '../test/support/admin.ts'
import { conditionOf } from '../test/support/admin.ts'
import type { Look } from './follow.ts'
import { clockTime, slotOf } from './samples.ts'

/** Shows one look after the other. */
export type View = (look: Look) => void

const columns = ['RESOURCE', 'SCHEDULE', 'LAST', 'NEXT', 'ACTIVE', 'LATENESS', 'STATE'] as const
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

/** A line for each launch, and one for each change of a state. */
export function plainLines(say: (line: string) => void): View {
  const states = new Map<string, string>()
  let printed = 0
  return (look) => {
    for (const [name, , , , , , state = ''] of rowsOf(look)) {
      if (states.get(name) !== state && state !== '') say(`${' '.repeat(10)}${name.padEnd(34)}${state}`)
      states.set(name, state)
    }
    for (const record of look.records.slice(printed)) {
      if (!look.samples.some((sample) => sample.isLaunch(record))) continue
      const slot = slotOf(record.name)
      say(`${clockTime(slot)}  ${record.name.padEnd(32)}  ${lateness(record.received - slot).padStart(9)} late`)
    }
    printed = look.records.length
  }
}

type Row = readonly [string, ...string[]]

function rowsOf(look: Look): readonly Row[] {
  return look.resources.map((resource) => {
    const { name, namespace = 'default' } = resource.metadata
    const { observedSchedule = '', nextScheduleTime, activeCount = 0 } = statusOf(resource)
    const [last, late] = lastLaunch(look, name, namespace)
    return [
      namespace === 'default' ? name : `${namespace}/${name}`,
      observedSchedule,
      last,
      nextScheduleTime === undefined ? '' : clockTime(Date.parse(nextScheduleTime)),
      String(activeCount),
      late,
      stateOf(resource),
    ]
  })
}

function lastLaunch({ samples, records }: Look, name: string, namespace: string): readonly [string, string] {
  const sample = samples.findLast((each) => each.name === name && each.namespace === namespace)
  const last = records.findLast((record) => sample?.isLaunch(record))
  if (last === undefined) return ['', '']
  const slot = slotOf(last.name)
  return [clockTime(slot), lateness(last.received - slot)]
}

interface Status {
  readonly observedSchedule?: string
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
  const failing = conditionOf(resource, 'Failing')
  if (failing?.status === 'True') return `failing: ${failing.message}`
  return haveFailed(statusOf(resource)) ? 'its Jobs fail' : (conditionOf(resource, 'Ready')?.reason ?? '')
}

function haveFailed({ lastFailedTime = '', lastSuccessfulTime = '' }: Status): boolean {
  return lastFailedTime > lastSuccessfulTime
}

/** The first run is late by construction: a creation is noted in whole seconds. */
function lateness(ms: number): string {
  return `${ms.toFixed(1)} ms`
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
