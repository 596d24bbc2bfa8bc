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
export const longestText = 4_096
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

/** All values of each field written out are 526 characters. */
const longestSchedule = 600
const longestZone = 64

export const specSchema = z.object({
  intervalSeconds: interval()
    .optional()
    .describe('Seconds between two runs, 1 to 31536000. Runs lie on a fixed grid: creation + k * intervalSeconds.'),
  interval_seconds: interval().optional().describe('The older spelling of intervalSeconds.'),
  schedule: z
    .string(write('a cron text'))
    .max(longestSchedule, write(`at most ${longestSchedule} characters`))
    .optional()
    .describe(
      'In place of intervalSeconds: 6 cron fields (seconds first), 5 (minutes first), or @hourly and its like.',
    ),
  timeZone: z
    .string(write('the name of a time zone'))
    .max(longestZone, write(`at most ${longestZone} characters`))
    .optional()
    .describe('With schedule: the name of its time zone in the IANA data, such as Europe/Berlin; UTC when absent.'),
  firstRun: z
    .enum(['AtCreation', 'AfterInterval'], write('AtCreation or AfterInterval'))
    .optional()
    .describe('With intervalSeconds: first run at the creation (AtCreation, also when absent) or an interval later.'),
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
