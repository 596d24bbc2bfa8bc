import type { Mutant } from './mutants.ts'

const scan = 'src/controller/scan.ts'
const schedulerTest = 'test/unit/controller/scheduler.test.ts'
const scanTest = 'test/unit/controller/scan.test.ts'

/** The first mistakes that come to mind; the fault matrix has a row for each of them. */
export const matrixMutants: readonly Mutant[] = [
  {
    name: 'the name of a Job is random',
    changes: [
      {
        file: 'src/api/job.ts',
        text: 'return `${name}-${Math.floor(slot / 1_000)}`',
        by: 'void slot\n  return `${name}-${Math.random().toString(36).slice(2, 9)}`',
      },
    ],
    killers: [schedulerTest],
  },
  {
    name: 'there is no finalizer',
    changes: [
      {
        file: 'src/controller/reconciler.ts',
        text: 'if (!object.spec.valid || object.finalizers.includes(finalizer)) return object',
        by: "if (object.uid !== '') return object",
      },
      {
        file: 'src/controller/scheduler.ts',
        text: "if (!object.finalizers.includes(finalizer)) return 'NotReady'",
        by: '',
      },
    ],
    killers: [schedulerTest],
  },
  {
    name: 'slots are counted from the last run, not from the creation',
    changes: [
      {
        file: 'src/controller/track.ts',
        text: 'const anchor = object.createdAt',
        by: 'const anchor = parseTime(object.status.lastScheduleTime) ?? object.createdAt',
      },
    ],
    killers: ['test/unit/controller/grid.test.ts'],
  },
  {
    name: 'a look-up that fails is taken for "gone"',
    changes: [
      {
        file: scan,
        text: 'const err = asApiError(thrown)\n      this.#log.debug',
        by: 'this.#kind.remove(uid)\n      const err = asApiError(thrown)\n      this.#log.debug',
      },
    ],
    killers: [scanTest],
  },
  {
    name: 'a resume runs what was due while it was suspended',
    changes: [
      {
        file: 'src/controller/track.ts',
        text: 'since: hasChanged(schedule, object.generation, track) ? wholeSecondFrom(now) : track.since',
        by: 'since: track.since',
      },
    ],
    killers: [schedulerTest],
  },
  {
    name: 'ticks are a second of sleep apart, not at whole seconds',
    changes: [
      {
        file: 'src/controller/ticker.ts',
        text: 'await clock.sleepUntil(boundaryAfter(now, stepMs), signal)',
        by: 'void boundaryAfter\n    await clock.sleep(stepMs, signal)',
      },
    ],
    killers: ['test/unit/controller/loops.test.ts'],
  },
  {
    name: 'lists come from the cache of whatever API server answers',
    changes: [
      {
        file: 'src/kube/list-page.ts',
        text: 'limit: String(size.next),',
        by: "limit: String(size.next),\n    ...(token === null ? { resourceVersion: '0' } : {}),",
      },
    ],
    killers: ['test/integration/controls.test.ts'],
  },
]
