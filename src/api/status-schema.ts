import * as z from 'zod'
import { longestText } from './schema.ts'

/** The wire form of the status; the one source of the CRD's. */

const instant = (what: string) => z.iso.datetime().describe(what)
const number = (what: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ format: 'int64' }).describe(what)
const word = (longest: number, what: string) => z.string().max(longest).describe(what)

export const conditionSchema = z.object({
  type: z.enum(['Accepted', 'Ready', 'Failing']).describe('What it is about.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
  reason: word(128, 'Why, in one word for programs.'),
  message: word(longestText, 'Why, in words for people.'),
  observedGeneration: number('The generation that it is about.'),
  lastTransitionTime: instant('When its status last changed.'),
})

export const jobReferenceSchema = z.object({
  kind: z.literal('Job').describe('Always Job.'),
  namespace: word(63, 'The namespace of the Job.'),
  name: word(63, 'The name of the Job.'),
  uid: word(64, 'The uid of the Job.'),
})

export const recentSchema = z.object({
  slot: instant('When the run was due.'),
  outcome: z.enum(['Skipped', 'Missed', 'Refused']).describe('What became of it.'),
  reason: word(128, 'Why, in one word.'),
})

const time = (what: string) => instant(what).optional()
const count = (what: string) => number(what).optional()

export const statusSchema = z.object({
  observedGeneration: count('The generation that this status is about.'),
  observedSchedule: word(700, 'The schedule in normal form; "suspended" while suspended.').optional(),
  scheduleSince: time('No run meant for before this time is ever started.'),
  handledUntil: time('The newest run that was started, skipped or missed; it is never started again.'),
  lastScheduleTime: time('The newest run that was started.'),
  lastSuccessfulTime: time('When the newest successful Job completed.'),
  lastFailedTime: time('When the newest failed Job failed.'),
  nextScheduleTime: time('When the next run is due.'),
  active: z.array(jobReferenceSchema).max(10).optional().describe('Jobs that are not finished, at most 10 of them.'),
  activeCount: count('How many Jobs are not finished.'),
  missedCount: count('How many runs were missed, ever.'),
  skippedCount: count('How many runs were skipped, ever.'),
  recent: z.array(recentSchema).max(10).optional().describe('The newest runs that were not started, newest first.'),
  lastManualRun: word(256, 'The last run-now token that was served.').optional(),
  manualRunCount: count('How many run-now tokens were served, ever.'),
  conditions: z
    .array(conditionSchema)
    .max(16)
    .optional()
    .describe(
      'Accepted: the spec and its template are right. Ready: runs are started. Failing: the last start was refused.',
    ),
})
