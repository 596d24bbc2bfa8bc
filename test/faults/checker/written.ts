import type { AuditRecord } from '../../support/audit.ts'

/** A SecondCronJob, as the API server answers it. */
export interface Written {
  readonly metadata: {
    readonly uid: string
    readonly name: string
    readonly namespace: string
    readonly creationTimestamp: string
    readonly deletionTimestamp?: string
    readonly resourceVersion: string
    readonly generation?: number
    readonly finalizers?: readonly string[]
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly intervalSeconds?: number
    readonly interval_seconds?: number
    readonly suspend?: boolean
    readonly firstRun?: string
    readonly concurrencyPolicy?: string
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
    readonly startingDeadlineSeconds?: number
  }
  readonly status?: Readonly<Record<string, unknown>>
}

/** A write to one, and what it was afterwards. */
export interface Write {
  readonly record: AuditRecord
  readonly object: Written
}
