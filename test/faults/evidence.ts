import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { AuditRecord } from '../support/audit.ts'
import type { Finals } from './checker/check-jobs.ts'
import type { Sample } from './checker/check-process.ts'
import type { Violation } from './checker/violation.ts'
import type { Stage } from './stage.ts'

/** A row that was played. Times are epoch milliseconds. */
export interface Story {
  readonly stage: Stage
  readonly samples: readonly Sample[]
  readonly stoodStillMs: number
  readonly finals: Finals
  readonly began: number
  readonly ended: number
  readonly until: number
}

/** What a violation can be looked into with; without violations, only what was done. */
export async function keep(
  folder: string,
  { stage, samples, finals }: Story,
  { violations, records }: { violations: readonly Violation[]; records: readonly AuditRecord[] },
): Promise<void> {
  // What an earlier run has left is none of this one's.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const json = (name: string, what: unknown) => writeFile(`${folder}/${name}.json`, JSON.stringify(what, null, 1))
  await json('faults', { outages: stage.outages, log: stage.proxies.flatMap((proxy) => proxy.log) })
  if (violations.length === 0) return
  await json('violations', violations)
  await json('observed', { samples, finals })
  await writeFile(`${folder}/audit.jsonl`, records.map((record) => JSON.stringify(record)).join('\n'))
  await Promise.all(
    stage.operators.map(async (operator) => writeFile(`${folder}/${operator.name}.log`, await operator.log())),
  )
}
