import { ApiError, asApiError } from './api/api-error.ts'
import { decodeSecondCronJob } from './api/decode.ts'
import { mendingOf } from './api/mending.ts'
import { finalizer, leaseName } from './api/names.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import type { Clock } from './clock.ts'
import { KubeLeaseControl } from './kube/lease-control.ts'
import { pagedList } from './kube/paged-list.ts'
import { secondCronJobPath, secondCronJobsPath } from './kube/paths.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Transport } from './kube/transport.ts'

export interface UninstallParts {
  readonly transport: Transport
  readonly clock: Clock
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  /** Where the Lease is. */
  readonly podNamespace: string
  /** How long a lease lasts, where the Lease itself does not say. */
  readonly leaseDuration: number
  /** Asks the user; false leaves everything as it is. */
  readonly confirm: (question: string) => Promise<boolean>
}

export interface Uninstalled {
  readonly ok: boolean
  readonly message: string
}

/** An operator that leads puts a finalizer back as soon as it sees the object. */
const firstLookMs = 2_000
/** From the end of a lease until the next leader has put the finalizers back: twice what a takeover may take. */
const takeoverMs = 4_000
const leaseTimeoutMs = 5_000
const atOnce = 8
const mostNamed = 5

/**
 * Takes our finalizer off every SecondCronJob, so that deleting one no longer waits for an operator that has gone; then
 * waits for as long as an operator may take to lead and put it back. Their Jobs are left to the garbage collector, which
 * deletes them after their owners. Rejects with ApiError.
 */
export async function uninstall(parts: UninstallParts): Promise<Uninstalled> {
  const { transport, confirm } = parts
  const found = await withFinalizer(parts)
  if (found.length === 0) return { ok: true, message: 'no SecondCronJob has the finalizer, nothing is to be done' }
  const where = new Set(found.map(({ namespace }) => namespace)).size
  const question = `take the finalizer off ${found.length} SecondCronJobs in ${where} namespaces?`
  if (!(await confirm(question))) return { ok: false, message: 'nothing was changed' }

  const failures = await stripAll(transport, found)
  if (failures.length > 0)
    return { ok: false, message: `could not be taken off ${failures.length}: ${named(failures)}` }

  const back = await putBack(parts)
  if (back.length === 0) return { ok: true, message: `the finalizer is taken off ${found.length} SecondCronJobs` }
  return { ok: false, message: servedMessage(found, back) }
}

/** An operator may serve some namespaces only: then what is elsewhere stays free, and the operator may be meant to stay. */
function servedMessage(found: readonly SecondCronJob[], back: readonly SecondCronJob[]): string {
  const again = new Set(back.map(({ uid }) => uid))
  const free = found.filter(({ uid }) => !again.has(uid)).length
  const names = named(back.map(({ namespace, name }) => `${namespace}/${name}`))
  const mending =
    'to free these too, delete its Deployment or leave their namespaces out of its --namespaces, then try again'
  const others = free > 0 ? `; the finalizer is taken off the other ${free}` : ''
  return `an operator is still running and has put it back (${names}): ${mending}${others}`
}

/** What has the finalizer again, looked for at once, and when a standby would have taken over from who was killed. */
async function putBack(parts: UninstallParts): Promise<readonly SecondCronJob[]> {
  const { clock } = parts
  await clock.sleep(firstLookMs)
  const back = await withFinalizer(parts)
  const longestMs = await leaseMs(parts)
  if (back.length > 0 || longestMs === 0) return back
  await clock.sleep(longestMs + takeoverMs)
  return withFinalizer(parts)
}

/**
 * How long a lease may still last: nothing when it was given back two seconds ago and nobody has taken it. One that is
 * not there, or may not be read, says nothing: an operator may use another one.
 */
async function leaseMs({ transport, podNamespace, leaseDuration }: UninstallParts): Promise<number> {
  const lease = await new KubeLeaseControl(transport, podNamespace, leaseName).get(leaseTimeoutMs).catch(noAnswer)
  if (lease === null) return leaseDuration
  return lease.holder === '' ? 0 : lease.durationMs
}

function noAnswer(thrown: unknown): null {
  asApiError(thrown)
  return null
}

async function withFinalizer({ transport, namespaces = [''] }: UninstallParts): Promise<readonly SecondCronJob[]> {
  const lists = namespaces.map((namespace) => {
    const path = secondCronJobsPath(namespace === '' ? undefined : namespace)
    return pagedList({ transport, path, metadataOnly: true }, decodeSecondCronJob).catch(ifNoSuchResource)
  })
  const objects = (await Promise.all(lists)).flat()
  return objects.filter(({ finalizers }) => finalizers.includes(finalizer))
}

/** Without the CRD there are no resources. */
function ifNoSuchResource(thrown: unknown): readonly SecondCronJob[] {
  if (thrown instanceof ApiError && thrown.kind === 'NoSuchResource') return []
  throw thrown
}

/** What could not be done, a sentence each. */
async function stripAll(transport: Transport, found: readonly SecondCronJob[]): Promise<readonly string[]> {
  const control = new KubeSecondCronJobControl(transport)
  const failures: string[] = []
  for (let at = 0; at < found.length; at += atOnce)
    await Promise.all(
      found.slice(at, at + atOnce).map((object) =>
        strip(control, object).catch(async (thrown: unknown) => {
          const { kind, message } = asApiError(thrown)
          const mending = kind === 'Invalid' ? mendingOf(await asItStands(transport, object)) : ''
          failures.push(`${object.namespace}/${object.name}: ${mending === '' ? message : mending}`)
        }),
      ),
    )
  return failures
}

/** undefined when it can't be read. */
async function asItStands(transport: Transport, { namespace, name }: SecondCronJob): Promise<unknown> {
  const path = secondCronJobPath(namespace, name)
  const answer = await transport.request({ method: 'GET', path, lane: 'control' }).catch(noAnswer)
  return answer?.body
}

/** The list of finalizers may have changed since it was read: then it is read again, once. */
async function strip(control: KubeSecondCronJobControl, object: SecondCronJob): Promise<void> {
  try {
    await control.removeFinalizer(object)
  } catch (thrown) {
    const { kind } = asApiError(thrown)
    if (kind !== 'Invalid' && kind !== 'Conflict') throw thrown
    const fresh = await control.get(object.namespace, object.name)
    if (fresh?.finalizers.includes(finalizer) === true) await control.removeFinalizer(fresh)
  }
}

function named(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  return names.slice(0, mostNamed).join('; ') + more
}
