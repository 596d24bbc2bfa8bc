import type * as z from 'zod'
import { cut } from './cut.ts'
import { readCron } from '../schedule/cron-fields.ts'
import { isTimeZone } from '../schedule/zone.ts'
import type { specSchema } from './schema.ts'
import type { InvalidReason, Schedule } from './secondcronjob.ts'

type WireSpec = z.infer<typeof specSchema>

/** One sentence about one field: what is wrong with it, and what to write there. */
export interface Problem {
  readonly reason: InvalidReason
  readonly text: string
}

const longestShown = 70

/** When the slots are, or what is wrong with that. The rules across fields are the twins of those in `scripts/crd.ts`. */
export function decodeSchedule(spec: WireSpec): Schedule | readonly Problem[] {
  const interval = spec.intervalSeconds ?? spec.interval_seconds
  const written = [spec.intervalSeconds, spec.interval_seconds, spec.schedule].filter((value) => value !== undefined)
  if (written.length === 0) return [invalid('spec: no schedule; write intervalSeconds or schedule')]
  if (written.length > 1) return [invalid('spec: more than one schedule; write one of intervalSeconds and schedule')]
  if (spec.schedule !== undefined) return decodeCron(spec.schedule, spec)
  if (spec.timeZone !== undefined) return [invalid('spec.timeZone: it goes with schedule; remove it')]
  return { kind: 'interval', intervalSeconds: interval ?? 0, firstRun: spec.firstRun ?? 'AtCreation' }
}

function decodeCron(written: string, { timeZone = 'UTC', firstRun }: WireSpec): Schedule | readonly Problem[] {
  const problems: Problem[] = []
  const read = readCron(written)
  if (!read.valid)
    problems.push({ reason: 'InvalidSchedule', text: `spec.schedule: ${shown(written)}: ${read.problem}` })
  if (!isTimeZone(timeZone)) problems.push({ reason: 'UnknownTimeZone', text: unknownZone(timeZone) })
  if (firstRun !== undefined) problems.push(invalid('spec.firstRun: it goes with intervalSeconds; remove it'))
  return problems.length > 0 ? problems : { kind: 'cron', text: written.trim().split(/\s+/).join(' '), timeZone }
}

/** The reason that all of them share. */
export function reasonOf(problems: readonly Problem[]): InvalidReason {
  const [first, ...others] = new Set(problems.map(({ reason }) => reason))
  return first === undefined || others.length > 0 ? 'InvalidSpec' : first
}

export function invalid(text: string): Problem {
  return { reason: 'InvalidSpec', text }
}

function unknownZone(timeZone: string): string {
  return `spec.timeZone: ${shown(timeZone)} is not known; write the name of a time zone in the IANA data, such as Europe/Berlin, or leave it out for UTC`
}

function shown(text: string): string {
  return JSON.stringify(text.length > longestShown ? `${cut(text, longestShown - 3)}...` : text)
}
