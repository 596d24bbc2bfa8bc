import * as z from 'zod'
import { cut } from './cut.ts'

/**
 * The wire form of a SecondCronJob. The one source of the CRD (`npm run generate` writes `deploy/crd.yaml`) and of what
 * the operator itself accepts; the rules across fields are given twice, as CEL for the API server and in `decode.ts`
 * for objects that an older schema let in.
 */

const longestInterval = 31_536_000
const mostKept = 1_000
const mostActive = 10_000
const longestText = 4_096
const mostArguments = 512
const mostLabels = 256

/** One sentence for whatever is wrong with a field: what it is, and what to write instead. */
function write(what: string): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) => `${input === undefined ? 'missing' : `${shown(input)} is not possible here`}; write ${what}`,
  }
}

function shown(input: unknown): string {
  const text = JSON.stringify(input)
  return text.length > 60 ? `${cut(text, 57)}...` : text
}

function whole(what: string, min: number, max: number): z.ZodInt {
  const sentence = write(`${what} from ${min} to ${max}`)
  return z.int(sentence).min(min, sentence).max(max, sentence).meta({ format: 'int32' })
}

const interval = () => whole('a whole number of seconds', 1, longestInterval)
const text = (what: string) => z.string(write(what)).max(longestText, write(`at most ${longestText} characters`))
const texts = (what: string) =>
  z.array(text('a text'), write(what)).max(mostArguments, write(`at most ${mostArguments} entries`))
const labels = () =>
  z
    .record(z.string(), text('a text'), write('a map of texts'))
    .refine((map) => Object.keys(map).length <= mostLabels, write(`at most ${mostLabels} entries`))
    .meta({ maxProperties: mostLabels })

const containers = z
  .array(
    z.looseObject({ name: z.string(write('a name')).describe('Its name.') }, write('a container')),
    write('a list of containers'),
  )
  .min(1, write('at least one container'))

const jobSpec = z.looseObject(
  {
    template: z
      .looseObject(
        {
          spec: z
            .looseObject({ containers: containers.describe('At least one container.') }, write('a Pod spec'))
            .describe('A Pod spec.'),
        },
        write('a Pod template: { spec: { containers: [...], restartPolicy: Never } }'),
      )
      .describe('A Pod template, as in a Job.'),
  },
  write('a Job spec: { template: { spec: { containers: [...], restartPolicy: Never } } }'),
)

const jobTemplate = z.object(
  {
    metadata: z
      .object(
        {
          labels: labels().optional().describe('Labels of the Jobs.'),
          annotations: labels().optional().describe('Annotations of the Jobs.'),
        },
        write('labels and annotations'),
      )
      .optional()
      .describe('Labels and annotations of the Jobs; nothing else of it is used.'),
    spec: jobSpec.describe('A Job spec, sent as it stands, as in batch/v1.'),
  },
  write('a Job template: { spec: { template: ... } }'),
)

export const specSchema = z.object({
  intervalSeconds: interval()
    .optional()
    .describe('Seconds between two runs, 1 to 31536000. Runs lie on a fixed grid: creation + k * intervalSeconds.'),
  interval_seconds: interval().optional().describe('The older spelling of intervalSeconds.'),
  firstRun: z
    .enum(['AtCreation', 'AfterInterval'], write('AtCreation or AfterInterval'))
    .optional()
    .default('AtCreation')
    .describe('Whether the first run is at the creation of the resource, or one interval later.'),
  suspend: z
    .boolean(write('true or false'))
    .optional()
    .default(false)
    .describe('Launch nothing while true. What passed meanwhile is not run later.'),
  startingDeadlineSeconds: whole('a whole number of seconds', 1, longestInterval)
    .optional()
    .describe('A run that could not be started for this long is given up. Without it only a newer run replaces it.'),
  concurrencyPolicy: z
    .enum(['Allow', 'Forbid', 'Replace'], write('Allow, Forbid or Replace'))
    .optional()
    .default('Allow')
    .describe(
      'When a run is due and a Job has not finished: Allow starts one beside it, Forbid skips the run, Replace deletes the Job first.',
    ),
  activeJobsLimit: whole('a whole number', 1, mostActive)
    .optional()
    .default(100)
    .describe('With Allow: at so many Jobs that have not finished, a run is skipped. A guard rail.'),
  successfulJobsHistoryLimit: whole('a whole number', 0, mostKept)
    .optional()
    .default(3)
    .describe('How many completed Jobs are kept.'),
  failedJobsHistoryLimit: whole('a whole number', 0, mostKept)
    .optional()
    .default(1)
    .describe('How many failed Jobs are kept.'),
  jobTemplate: jobTemplate.optional().describe('The Job of each run. Either this or image.'),
  image: text('the name of an image')
    .min(1, write('the name of an image'))
    .optional()
    .describe('Shorthand for a Job of one container with this image. Either this or jobTemplate.'),
  name: z
    .string(write('a name for the container'))
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, write('a DNS label: lower case letters, digits and -, at most 63'))
    .optional()
    .describe("With image: the container's name; the resource's name when absent."),
  command: texts('a list of texts').optional().describe('With image: the entrypoint of the container.'),
  args: texts('a list of texts').optional().describe('With image: the arguments of the container.'),
})

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
  observedSchedule: word(256, 'The schedule in normal form; "suspended" while suspended.').optional(),
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
  conditions: z
    .array(conditionSchema)
    .max(16)
    .optional()
    .describe(
      'Accepted: the spec and its template are right. Ready: runs are started. Failing: the last start was refused.',
    ),
})
