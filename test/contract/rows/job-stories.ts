import type { KubeObject } from '../../support/admin.ts'
import { outcomeAnnotation } from '../../../sandbox/server/pod-runner.ts'
import { aJob, podSpec } from '../kinds.ts'
import type { World } from '../world.ts'

export interface Story {
  /** Of its Pods; they succeed when absent. */
  readonly outcome?: 'fail' | 'never'
  readonly spec?: Record<string, unknown>
  readonly withinMs?: number
}

interface JobStatus {
  readonly active?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly startTime?: string
  readonly completionTime?: string
  readonly conditions?: readonly JobCondition[]
}

interface JobCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

/** A Pod template whose Pods end so. */
export function templateThat(outcome?: string): object {
  const annotations = outcome === undefined ? {} : { [outcomeAnnotation]: outcome }
  return { metadata: { annotations }, spec: podSpec }
}

/** Creates the Job `a` and waits until its Pod is there. */
export async function runningJob(world: World, { outcome, spec }: Story): Promise<void> {
  await world.create(aJob({ name: 'a' }, { suspend: false, template: templateThat(outcome), ...spec }))
  await world.until('its Pod', 15_000, async () => statusOf(await world.found('jobs', 'a')).active === 1)
}

/** Creates the Job `a` and waits until it is Complete or Failed. */
export async function finished(world: World, { outcome, spec, withinMs = 20_000 }: Story): Promise<KubeObject> {
  await world.create(aJob({ name: 'a' }, { suspend: false, template: templateThat(outcome), ...spec }))
  return world.until('the end of the Job', withinMs, async () => {
    const job = await world.found('jobs', 'a')
    return typesOf(job).some((type) => type === 'Complete=True' || type === 'Failed=True') && job
  })
}

export function statusOf(job: KubeObject): JobStatus {
  return job['status'] ?? {}
}

export function conditionsOf(job: KubeObject): readonly JobCondition[] {
  return statusOf(job).conditions ?? []
}

/** `Complete=True` and the like, in their order. */
export function typesOf(job: KubeObject): readonly string[] {
  return conditionsOf(job).map(({ type, status }) => `${type}=${status}`)
}
