import { decodeSecondCronJob, decodeTemplate } from '../api/decode.ts'
import { isAbridged, placeOfFinalizer } from '../api/held-finalizers.ts'
import { finalizer } from '../api/names.ts'
import type { SecondCronJob, Status } from '../api/secondcronjob.ts'
import type { SecondCronJobControl, WithTemplate } from '../controller/ports.ts'
import { ifNotFound } from './job-control.ts'
import { secondCronJobPath } from './paths.ts'
import type { Requester } from './fenced.ts'
import { understood } from './understood.ts'

type Named = Pick<SecondCronJob, 'namespace' | 'name'>
type Operation = { readonly op: 'test' | 'add' | 'remove'; readonly path: string; readonly value?: unknown }

/**
 * JSON patches with a `test` for everything they rely on: a merge patch with a wrong uid is silently accepted, and one of
 * the whole finalizer list would delete another controller's entry.
 */
export class KubeSecondCronJobControl implements SecondCronJobControl {
  readonly #transport: Requester

  constructor(transport: Requester) {
    this.#transport = transport
  }

  async get(namespace: string, name: string): Promise<SecondCronJob | null> {
    return this.#read({ namespace, name }, decodeSecondCronJob)
  }

  async getWithTemplate(namespace: string, name: string, signal: AbortSignal): Promise<WithTemplate | null> {
    return this.#read({ namespace, name }, withTemplate, signal)
  }

  async addFinalizer(object: SecondCronJob): Promise<SecondCronJob> {
    const path = '/metadata/finalizers'
    const add: readonly Operation[] =
      object.finalizers.length === 0
        ? [
            { op: 'test', path, value: null },
            { op: 'add', path, value: [finalizer] },
          ]
        : [
            ...(isAbridged(object.finalizers) ? [] : [{ op: 'test', path, value: object.finalizers } as const]),
            { op: 'add', path: `${path}/-`, value: finalizer },
          ]
    return this.#patch(object, '', add)
  }

  async removeFinalizer(object: SecondCronJob): Promise<SecondCronJob | null> {
    const path = `/metadata/finalizers/${await this.#placeOfFinalizer(object)}`
    try {
      const after = await this.#patch(object, '', [
        { op: 'test', path, value: finalizer },
        { op: 'remove', path },
      ])
      return after.finalizers.length === 0 && after.deletingSince !== null ? null : after
    } catch (thrown) {
      return ifNotFound(thrown, null)
    }
  }

  async patchStatus(object: SecondCronJob, status: Status): Promise<SecondCronJob> {
    const { status: stored, resourceVersion } = object
    // A test below a status that is not there yet fails even against null, so the first write goes by the version: never a
    // later one, since against somebody who writes the object all the time, seen late, that race is lost for ever.
    const guard: Operation =
      Object.keys(stored).length === 0
        ? { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }
        : { op: 'test', path: '/status/handledUntil', value: stored.handledUntil ?? null }
    return this.#patch(object, '/status', [guard, { op: 'add', path: '/status', value: status }])
  }

  async #placeOfFinalizer(object: SecondCronJob): Promise<number> {
    if (!isAbridged(object.finalizers)) return object.finalizers.indexOf(finalizer)
    return (await this.#read(object, placeOfFinalizer)) ?? 0
  }

  /** null when the server says that there is no such object. */
  async #read<T>({ namespace, name }: Named, decode: (body: unknown) => T, signal?: AbortSignal): Promise<T | null> {
    try {
      const path = secondCronJobPath(namespace, name)
      const { body } = await this.#transport.request({ method: 'GET', path, lane: 'control', signal })
      return understood(body, decode)
    } catch (thrown) {
      return ifNotFound(thrown, null)
    }
  }

  async #patch(object: SecondCronJob, subresource: string, operations: readonly Operation[]): Promise<SecondCronJob> {
    const { body } = await this.#transport.request({
      method: 'PATCH',
      path: `${secondCronJobPath(object.namespace, object.name)}${subresource}`,
      lane: 'control',
      contentType: 'application/json-patch+json',
      body: [{ op: 'test', path: '/metadata/uid', value: object.uid }, ...operations],
    })
    return understood(body, decodeSecondCronJob)
  }
}

function withTemplate(body: unknown): WithTemplate {
  const object = decodeSecondCronJob(body)
  return { object, template: object.spec.valid ? decodeTemplate(body) : null }
}
