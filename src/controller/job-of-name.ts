import type { Job } from '../api/job.ts'
import type { JobControl } from './ports.ts'

export interface JobOfNameParts {
  readonly jobs: Pick<JobControl, 'get'>
  /** An answer of the API server: the Job as it is now. */
  readonly seen: (job: Job) => void
}

export interface JobKey {
  readonly namespace: string
  readonly name: string
}

/** Whose Job has this name? One of ours is `seen`; null when nobody's. Rejects with ApiError. */
export async function whoseJob(parts: JobOfNameParts, key: JobKey, uid: string): Promise<'ours' | 'foreign' | null> {
  const job = await parts.jobs.get(key.namespace, key.name)
  if (job === null) return null
  if (job.ownerUid !== uid) return 'foreign'
  parts.seen(job)
  return 'ours'
}

/** What the user is told of it, and what can be done. */
export function foreignJob(name: string): string {
  return `a Job named ${name} exists and is not controlled by this resource; rename or delete it`
}
