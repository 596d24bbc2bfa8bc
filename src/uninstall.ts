import { ApiError, asApiError } from './api/api-error.ts'
import { decodeSecondCronJob } from './api/decode.ts'
import { finalizer } from './api/names.ts'
import type { SecondCronJob } from './api/secondcronjob.ts'
import type { Clock } from './clock.ts'
import { pagedList } from './kube/paged-list.ts'
import { secondCronJobsPath } from './kube/paths.ts'
import { KubeSecondCronJobControl } from './kube/secondcronjob-control.ts'
import type { Transport } from './kube/transport.ts'

export interface UninstallParts {
  readonly transport: Transport
  readonly clock: Clock
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  /** Asks the user; false leaves everything as it is. */
  readonly confirm: (question: string) => Promise<boolean>
}

export interface Uninstalled {
  readonly ok: boolean
  readonly message: string
}

/** An operator that still runs puts a finalizer back as soon as it sees the object. */
const watchedForMs = 2_000
const atOnce = 8
const mostNamed = 5

/**
 * Takes our finalizer off every SecondCronJob, so that deleting one no longer waits for an operator that has gone.
 * Their Jobs are left to the garbage collector, which deletes them after their owners. Rejects with ApiError.
 */
export async function uninstall({ transport, clock, namespaces, confirm }: UninstallParts): Promise<Uninstalled> {
  const control = new KubeSecondCronJobControl(transport)
  const look = () => withFinalizer(transport, namespaces)
  const found = await look()
  if (found.length === 0) return { ok: true, message: 'no SecondCronJob has the finalizer, nothing is to be done' }
  const where = new Set(found.map(({ namespace }) => namespace)).size
  const question = `take the finalizer off ${found.length} SecondCronJobs in ${where} namespaces?`
  if (!(await confirm(question))) return { ok: false, message: 'nothing was changed' }

  const failures: string[] = []
  for (let at = 0; at < found.length; at += atOnce)
    await Promise.all(
      found.slice(at, at + atOnce).map((object) =>
        strip(control, object).catch((thrown: unknown) => {
          failures.push(`${object.namespace}/${object.name}: ${asApiError(thrown).message}`)
        }),
      ),
    )
  if (failures.length > 0)
    return { ok: false, message: `could not be taken off ${failures.length}: ${named(failures)}` }

  await clock.sleep(watchedForMs)
  const back = await look()
  if (back.length === 0) return { ok: true, message: `the finalizer is taken off ${found.length} SecondCronJobs` }
  const names = named(back.map(({ namespace, name }) => `${namespace}/${name}`))
  return {
    ok: false,
    message: `an operator is still running and has put it back (${names}): delete its Deployment, then try again`,
  }
}

async function withFinalizer(
  transport: Transport,
  namespaces: readonly string[] = [''],
): Promise<readonly SecondCronJob[]> {
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
