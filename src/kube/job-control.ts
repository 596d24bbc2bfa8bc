import { ApiError } from '../api/api-error.ts'
import { decodeJob, type Job } from '../api/job.ts'
import type { Created, CreateOptions, JobControl, JobManifest } from '../controller/ports.ts'
import { pagedList } from './paged-list.ts'
import { jobPath, jobsPath, ownerSelector } from './paths.ts'
import type { Requester } from './fenced.ts'
import { understood } from './understood.ts'

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
/** The server gives up first, so that its answer says what became of the create. */
const clientPatienceMs = 1_000

export class KubeJobControl implements JobControl {
  readonly #transport: Requester

  constructor(transport: Requester) {
    this.#transport = transport
  }

  async create(namespace: string, manifest: JobManifest, options: CreateOptions): Promise<Created> {
    const dryRun = options.dryRun === true
    const { body, warnings } = await this.#transport.request({
      method: 'POST',
      path: `${jobsPath(namespace)}?${createQuery(options).toString()}`,
      lane: dryRun ? 'control' : 'launch',
      ...(manifest.json === undefined ? { body: manifest } : { text: manifest.json }),
      ...(dryRun ? { discardAnswer: true } : { accept: metadataOnly }),
      timeoutMs: options.timeoutMs + clientPatienceMs,
      signal: options.signal,
      isWanted: options.isWanted,
    })
    return { warnings, job: dryRun ? null : understood(body, decodeJob) }
  }

  async get(namespace: string, name: string): Promise<Job | null> {
    try {
      const { body } = await this.#transport.request({ method: 'GET', path: jobPath(namespace, name), lane: 'control' })
      return understood(body, decodeJob)
    } catch (thrown) {
      return ifNotFound(thrown, null)
    }
  }

  async list(namespace: string, owner: string): Promise<readonly Job[]> {
    const path = jobsPath(namespace)
    return pagedList({ transport: this.#transport, path, labelSelector: ownerSelector(owner) }, decodeJob)
  }

  async delete({ namespace, name, uid, resourceVersion }: Job): Promise<void> {
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid, resourceVersion },
      propagationPolicy: 'Background',
    }
    try {
      await this.#transport.request({ method: 'DELETE', path: jobPath(namespace, name), lane: 'control', body })
    } catch (thrown) {
      ifNotFound(thrown, null)
    }
  }
}

/** `value` when the server says that the object is not there; every other failure goes up. */
export function ifNotFound<T>(thrown: unknown, value: T): T {
  if (thrown instanceof ApiError && thrown.kind === 'NotFound') return value
  throw thrown
}

function createQuery({ dryRun, timeoutMs }: CreateOptions): URLSearchParams {
  return new URLSearchParams({
    fieldManager: 'second-cron-job-operator',
    timeout: `${Math.ceil(timeoutMs)}ms`,
    ...(dryRun === true ? { dryRun: 'All', fieldValidation: 'Warn' } : {}),
  })
}
