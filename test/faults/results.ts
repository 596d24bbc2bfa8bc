import { appendFile, readFile } from 'node:fs/promises'
import type { Violation } from './checker/violation.ts'

/** What became of a row: one line of the results. */
export interface Result {
  readonly id: string
  readonly done: string
  readonly holds: string
  readonly seed: number
  /** Of the fault period. */
  readonly seconds: number
  /** How often the fault was done. */
  readonly runs: number
  /** Slots that had to be launched. */
  readonly due: number
  readonly launched: number
  /** Of the slots that would have been due without any outage, the part that was launched. Not in old results. */
  readonly share?: number | null
  readonly violations: number
  /** How many of each kind. Not in old results. */
  readonly kinds?: Readonly<Record<string, number>>
  /** The first ones of each kind. */
  readonly examples: readonly Violation[]
  readonly worstLatenessMs: number | null
  /** Not in old results. */
  readonly medianLatenessMs?: number | null
  readonly recoveryMs: number
  readonly longestOutageMs: number
  /** What the operator has written for each Job that it launched: Jobs, specs and statuses. Not in old results. */
  readonly writesPerLaunch?: number
  /** How often it has listed anything. Not in old results. */
  readonly lists?: number
  /** How many creates of Jobs were on their way at once. Not in old results. */
  readonly createsAtOnce?: number
  /** For how long the proxy, and with it the machine, did nothing at all, at most. Not in old results. */
  readonly stoodStillMs?: number
  readonly mostRssMb: number
  readonly mostSockets: number
  readonly date: string
  readonly versions: Readonly<Record<string, string>>
}

/**
 * Those of a file; none when there is no such file. The newest of each row counts. Of the shipped operator, or of the one
 * without this guard: neither says anything of the other.
 */
export async function readResults(path: string, mutant?: string): Promise<readonly Result[]> {
  const all = await readNewest<Result>(path, ({ id, versions }) => `${id} ${versions['mutant'] ?? ''}`)
  return all.filter(({ versions }) => versions['mutant'] === mutant)
}

/** Whether each of these rows was played, whenever it was, and held. No for no rows. */
export function areAllClean(ids: readonly string[], results: readonly Result[]): boolean {
  const violations = new Map(results.map((result) => [result.id, result.violations]))
  return ids.length > 0 && ids.every((id) => violations.get(id) === 0)
}

/** The lines of a file, none when there is no such file: of each key the newest. */
export async function readNewest<T>(path: string, keyOf: (line: T) => string): Promise<readonly T[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  return [...new Map(lines.map((line) => JSON.parse(line) as T).map((one) => [keyOf(one), one])).values()]
}

/** A line more. */
export async function append(path: string, line: object): Promise<void> {
  await appendFile(path, `${JSON.stringify(line)}\n`)
}

export function countOfEach(violations: readonly Violation[]): Readonly<Record<string, number>> {
  const kinds = Map.groupBy(violations, ({ kind }) => kind)
  return Object.fromEntries([...kinds].map(([kind, same]) => [kind, same.length]))
}

/** At most so many of each kind. */
export function firstOfEach(violations: readonly Violation[], most: number): readonly Violation[] {
  return [...Map.groupBy(violations, ({ kind }) => kind).values()].flatMap((same) => same.slice(0, most))
}
