import { asApiError } from '../api/api-error.ts'
import { isActive, type Job } from '../api/job.ts'
import type { JobControl } from './ports.ts'

export interface DeleteParts {
  readonly jobs: JobControl
  readonly seen: (job: Job) => void
  readonly buryJob: (uid: string) => void
}

/** A Job that has just been created changes a few times within its first second. */
const mostTries = 5

/** Deletes what has not finished; a Job that finishes meanwhile is history and stays. Rejects with ApiError. */
export async function deleteActive(parts: DeleteParts, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) await deleteOne(parts, job)
}

async function deleteOne({ jobs, seen, buryJob }: DeleteParts, job: Job): Promise<void> {
  for (let tries = 1, known = job; isActive(known); tries += 1) {
    try {
      await jobs.delete(known)
      buryJob(known.uid)
      return
    } catch (thrown) {
      const error = asApiError(thrown)
      if (error.kind !== 'Conflict' || tries === mostTries) throw error
    }
    const now = await jobs.get(known.namespace, known.name)
    if (now?.uid !== job.uid) return buryJob(job.uid)
    seen(now)
    known = now
  }
}
