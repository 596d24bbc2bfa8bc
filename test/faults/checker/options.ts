import type { Write } from './written.ts'

/** What a resource asked for beside its schedule, from one change to the next. Times are epoch milliseconds. */
export interface Options {
  /** When the API server was asked for the change, and when it had acknowledged it. */
  readonly asked: number
  readonly acknowledged: number
  readonly policy: string
  /** Later than this no slot is launched; Infinity when there is no such limit. */
  readonly deadlineMs: number
  /** How many finished Jobs are kept. */
  readonly keeps: { readonly successful: number; readonly failed: number }
}

/** In their order, at least one. */
export function optionsOf(writes: readonly Write[]): readonly Options[] {
  return writes.map(optionsIn).filter((options, index, all) => !isSame(options, all[index - 1]))
}

/** Those that the operator may have seen at a time: the last ones, and those before them that were only just over. */
export function optionsAt(all: readonly Options[], at: number, noticeMs: number): readonly Options[] {
  const seen = all.filter(({ asked }, index) => {
    const next = all[index + 1]
    return asked <= at && (next === undefined || next.acknowledged + noticeMs >= at)
  })
  return seen.length > 0 ? seen : all.slice(0, 1)
}

function optionsIn({ record, object: { spec } }: Write): Options {
  const { concurrencyPolicy: policy = 'Allow', successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec
  return {
    asked: record.received,
    acknowledged: record.completed,
    policy,
    deadlineMs: (spec.startingDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1_000,
    keeps: { successful: successfulJobsHistoryLimit, failed: failedJobsHistoryLimit },
  }
}

function isSame(a: Options, b: Options | undefined): boolean {
  const isKept = a.keeps.successful === b?.keeps.successful && a.keeps.failed === b.keeps.failed
  return isKept && a.policy === b?.policy && a.deadlineMs === b.deadlineMs
}
