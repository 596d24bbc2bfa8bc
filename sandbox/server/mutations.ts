import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../src/clock.ts'
import { type Fields, type KubeObject, timestamp } from './objects.ts'
import type { Store } from './store.ts'
import { definitions, namespaces, type ResourceType, type Types } from './types.ts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export const finalizerOf = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'
const versioned = new Set(['batch', 'apps', definitions.group])

/** What every part of the server shares. */
export interface Api {
  readonly store: Store
  readonly types: Types
  readonly clock: Clock
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal
}

/** Does it after so many milliseconds of the clock, unless the server has stopped by then. */
export function sleepAndDo({ clock, stopping }: Api, ms: number, act: () => void): void {
  void clock.sleep(ms, stopping).then(() => (stopping.aborted ? undefined : act()))
}

/** What happens to an object whoever asks: identity, generation, and the way an object goes. Nothing is checked here. */
export class Mutations {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  /** As it is going to be stored; `create` stores it. */
  stamped(type: ResourceType, { metadata, ...rest }: KubeObject): KubeObject {
    const { deletionTimestamp: _gone, ...given } = metadata
    const own = {
      ...given,
      uid: randomUUID(),
      creationTimestamp: timestamp(this.#api.clock.now()),
      ...(type.isCustom || versioned.has(type.group) ? { generation: 1 } : {}),
    }
    return { ...rest, metadata: own } as KubeObject
  }

  create(type: ResourceType, object: KubeObject): KubeObject {
    return this.#api.store.put(type.collection, object)
  }

  /** Stores what is different; an object that waited for its last finalizer goes. */
  replace(type: ResourceType, before: KubeObject, after: KubeObject): KubeObject {
    if (isDeepStrictEqual(before, after)) return before
    const next = isSpecChanged(type, before, after) ? nextGeneration(after) : after
    const isHeld = (next.metadata.finalizers ?? []).length > 0 || namespaceFinalizers(type, next).length > 0
    if (next.metadata.deletionTimestamp !== undefined && !isHeld) return this.#api.store.remove(type.collection, next)
    return this.#api.store.put(type.collection, next)
  }

  /** Answers null when it went at once, otherwise the object that is waiting for its finalizers. */
  delete(type: ResourceType, object: KubeObject, propagation: Propagation): KubeObject | null {
    const { store, clock } = this.#api
    const finalizers = finalizersFor(object, propagation)
    const isHeld = finalizers.length > 0 || namespaceFinalizers(type, object).length > 0
    if (!isHeld) {
      store.remove(type.collection, object)
      return null
    }
    const { deletionTimestamp = timestamp(clock.now()) } = object.metadata
    const metadata = { ...object.metadata, finalizers, deletionTimestamp, deletionGracePeriodSeconds: 0 }
    if (finalizers.length === 0) Reflect.deleteProperty(metadata, 'finalizers')
    const going: KubeObject = { ...object, metadata }
    if (type === namespaces) going.status = { ...object.status, phase: 'Terminating' }
    if (isDeepStrictEqual(going, object)) return object
    return store.put(type.collection, object.metadata.deletionTimestamp === undefined ? nextGeneration(going) : going)
  }
}

function finalizersFor({ metadata }: KubeObject, propagation: Propagation): string[] {
  const own = Object.values<string>(finalizerOf)
  const others = (metadata.finalizers ?? []).filter((finalizer) => !own.includes(finalizer))
  return propagation === 'Background' ? others : [...others, finalizerOf[propagation]]
}

function namespaceFinalizers(type: ResourceType, { spec }: KubeObject): readonly unknown[] {
  return type === namespaces ? ((spec?.['finalizers'] ?? []) as unknown[]) : []
}

function isSpecChanged(type: ResourceType, before: KubeObject, after: KubeObject): boolean {
  return !isDeepStrictEqual(specOf(type, before), specOf(type, after))
}

/** All that the users of an object write. */
function specOf({ isCustom, hasStatus }: ResourceType, { metadata: _metadata, status, ...rest }: KubeObject): Fields {
  return isCustom && !hasStatus ? { ...rest, status } : rest
}

function nextGeneration(object: KubeObject): KubeObject {
  const { generation } = object.metadata
  if (generation === undefined) return object
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } }
}
