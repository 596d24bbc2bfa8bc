import type { KubeObject } from '../../support/admin.ts'
import { type Condition, conditionOf } from '../../support/admin.ts'
import { createdAt, expectationOf } from '../../support/expectations.ts'
import { isLaunch, judge, type Verdict } from '../../support/verdict.ts'
import { runMsAnnotation } from '../../../sandbox/server/pod-runner.ts'
import { podSpec } from '../kinds.ts'
import type { World } from '../world.ts'
import { templateThat } from './job-stories.ts'

export interface Launch {
  readonly slot: number
  readonly received: number
}

/** The Jobs named after the resource, oldest slot first. */
export async function jobsOf(world: World, name: string): Promise<readonly KubeObject[]> {
  return (await world.list('jobs')).filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
}

/** Waits until so many Jobs of the resource are there. */
export async function hasRun(world: World, name: string, times = 1): Promise<void> {
  await world.until(`${times} Jobs of ${name}`, 20_000, async () => (await jobsOf(world, name)).length >= times)
}

/** The committed creates of Jobs named after the resource, whoever sent them, in their order. */
export async function launchesOf(world: World, name: string): Promise<readonly Launch[]> {
  return (await world.requests())
    .filter((record) => isLaunch(record) && record.name.startsWith(`${name}-`))
    .map((record) => ({ slot: Number(record.name.split('-').at(-1)) * 1_000, received: record.received }))
}

/** Seconds from the creation to each launch. */
export async function secondsOf(world: World, object: KubeObject): Promise<readonly number[]> {
  return (await launchesOf(world, object.metadata.name)).map(({ slot }) => (slot - createdAt(object)) / 1_000)
}

/** When the server had answered the newest `verb` of the test itself on this resource, epoch milliseconds. */
export async function acknowledged(world: World, verb: 'patch' | 'delete', name: string): Promise<number> {
  const own = (await world.requests()).filter((record) => {
    return record.verb === verb && record.name === name && record.userAgent.startsWith('contract/')
  })
  return own.at(-1)?.completed ?? Number.NaN
}

/** What became of the slots of [from, until), by the server's own notes. */
export async function judged(world: World, object: KubeObject, from: number, until: number): Promise<Verdict> {
  return judge([expectationOf(object, from, until)], await world.requests())
}

/** Lets time pass until so long after the creation of the object. */
export async function since(world: World, object: KubeObject, ms: number): Promise<void> {
  await world.passUntil(createdAt(object) + ms)
}

/** Waits until a condition of the resource has this status. */
export function condition(world: World, name: string, type: string, status: string): Promise<Condition> {
  return world.until(`${name} to be ${type}=${status}`, 15_000, async () => {
    const object = await world.get('secondcronjobs', name)
    const found = object === null ? undefined : conditionOf(object, type)
    return found?.status === status && found
  })
}

/** Waits until its status shows this schedule. */
export async function shows(world: World, name: string, schedule: string): Promise<void> {
  await world.until(`${name} to show ${schedule}`, 8_000, async () => {
    return (
      (await world.found('secondcronjobs', name))['status'] !== undefined &&
      (await scheduleOf(world, name)) === schedule
    )
  })
}

async function scheduleOf(world: World, name: string): Promise<unknown> {
  return (await statusOf(world, name))['observedSchedule']
}

/** As it is stored; empty before the first write. */
export async function statusOf(world: World, name: string): Promise<Readonly<Record<string, unknown>>> {
  return ((await world.found('secondcronjobs', name))['status'] ?? {}) as Readonly<Record<string, unknown>>
}

/** A spec whose Pods end so. */
export function jobsThat(
  outcome: 'fail' | 'never' | undefined,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return { jobTemplate: { spec: { backoffLimit: 0, template: templateThat(outcome), ...extra } } }
}

/** A spec whose Pods run for so long. */
export function lasting(ms: number): Record<string, unknown> {
  const template = { metadata: { annotations: { [runMsAnnotation]: String(ms) } }, spec: podSpec }
  return { jobTemplate: { spec: { template } } }
}
