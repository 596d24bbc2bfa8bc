import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../src/clock.ts'
import { type KubeObject, type Metadata, timestamp } from './objects.ts'
import type { Store } from './store.ts'
import { definitions, namespaces, type ResourceType, Types } from './types.ts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export const finalizerOf = { Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const
const versioned = new Set(['batch', 'apps', definitions.group])

/**
 * What every part of the server shares: what is stored, what is served, what time it is; and what happens to an object
 * whoever asks: identity, generation, and the way an object goes. Nothing is checked here.
 */
export class Api {
  readonly store: Store
  readonly types = new Types()
  readonly clock: Clock
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal

  constructor(store: Store, clock: Clock, stopping: AbortSignal) {
    this.store = store
    this.clock = clock
    this.stopping = stopping
  }

  /** Does it after so many milliseconds of the clock, unless the server has stopped by then. */
  later(ms: number, act: () => void): void {
    void this.clock.sleep(ms, this.stopping).then(() => (this.stopping.aborted ? undefined : act()))
  }

  /** As it is going to be stored; `create` stores it. */
  stamped(type: ResourceType, { metadata, ...rest }: KubeObject): KubeObject {
    const { deletionTimestamp: _gone, ...given } = metadata
    const generation = type.isCustom || versioned.has(type.group) ? { generation: 1 } : {}
    const own = { uid: randomUUID(), creationTimestamp: timestamp(this.clock.now()), ...generation }
    return { ...rest, metadata: { ...given, ...own } }
  }

  create(type: ResourceType, object: KubeObject): KubeObject {
    return this.store.put(type.collection, object)
  }

  /** Stores what is different, unless it is a dry run; an object that waited for its last finalizer goes. */
  replace(type: ResourceType, before: KubeObject, after: KubeObject, isDryRun = false): KubeObject {
    if (isDeepStrictEqual(before, after)) return before
    const next = isDeepStrictEqual(specOf(type, before), specOf(type, after)) ? after : nextGeneration(after)
    if (isDryRun) return next
    const isGoing = next.metadata.deletionTimestamp !== undefined && !isHeld(next)
    return isGoing ? this.store.remove(type.collection, next) : this.store.put(type.collection, next)
  }

  /** A change of the metadata; undefined takes a field away, and so does an empty list. */
  amend(
    type: ResourceType,
    object: KubeObject,
    change: { readonly [Field in keyof Metadata]?: Metadata[Field] | undefined },
  ): void {
    const all = Object.entries({ ...object.metadata, ...change })
    const kept = all.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    this.replace(type, object, { ...object, metadata: Object.fromEntries(kept) as unknown as Metadata })
  }

  /** Answers null when it went at once, otherwise the object that is waiting for its finalizers. */
  delete(type: ResourceType, object: KubeObject, propagation: Propagation): KubeObject | null {
    const { store, clock } = this
    const { finalizers: _held, ...metadata } = object.metadata
    const finalizers = finalizersFor(object, propagation)
    const held = finalizers.length > 0 ? { finalizers } : {}
    const going = {
      ...object,
      metadata: { deletionTimestamp: timestamp(clock.now()), ...metadata, ...held, deletionGracePeriodSeconds: 0 },
    }
    if (!isHeld(going)) store.remove(type.collection, object)
    if (!isHeld(going)) return null
    if (type === namespaces) going.status = { ...object.status, phase: 'Terminating' }
    if (isDeepStrictEqual(going, object)) return object
    return store.put(type.collection, metadata.deletionTimestamp === undefined ? nextGeneration(going) : going)
  }
}

function finalizersFor({ metadata }: KubeObject, propagation: Propagation): string[] {
  const own: readonly string[] = Object.values(finalizerOf)
  const others = (metadata.finalizers ?? []).filter((finalizer) => !own.includes(finalizer))
  return propagation === 'Background' ? others : [...others, finalizerOf[propagation]]
}

/** A namespace has a finalizer of its own kind. */
function isHeld({ kind, metadata, spec }: KubeObject): boolean {
  return (metadata.finalizers ?? []).length > 0 || (kind === 'Namespace' && spec?.['finalizers'] !== undefined)
}

/** All that the users of an object write. */
function specOf({ isCustom, hasStatus }: ResourceType, { metadata: _metadata, status, ...rest }: KubeObject): object {
  return isCustom && !hasStatus ? { ...rest, status } : rest
}

function nextGeneration(object: KubeObject): KubeObject {
  const { generation } = object.metadata
  if (generation === undefined) return object
  return { ...object, metadata: { ...object.metadata, generation: generation + 1 } }
}
