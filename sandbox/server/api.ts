import { randomInt, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../src/clock.ts'
import { type KubeObject, type Metadata, timestamp, withoutEmpty } from './objects.ts'
import { type Place, Store } from './store.ts'
import { builtins, definitions, namespaces, type ResourceType } from './types.ts'

type ListField = 'ownerReferences' | 'finalizers'
type Entry<Field extends ListField> = NonNullable<Metadata[Field]>[number]

/** How dependents go, and the finalizer with which an object waits for that. */
export const finalizerOf = { Background: null, Orphan: 'orphan', Foreground: 'foregroundDeletion' } as const
export type Propagation = keyof typeof finalizerOf
/** With which a CustomResourceDefinition waits for its objects. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'
/** Of a `generateName`, in characters; and what stands behind it. */
const longestBase = 58
const letters = 'bcdfghjklmnpqrstvwxz2456789'
const versioned = new Set(['batch', 'apps', definitions.group])

/**
 * What every part of the server shares: what is stored, what is served, what time it is; and what happens to an object
 * whoever asks: identity, generation, and the way an object goes. Nothing is checked here.
 */
export class Api {
  readonly store: Store
  /** The resources that are served; CustomResourceDefinitions add theirs. */
  types: readonly ResourceType[] = builtins
  readonly clock: Clock
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal

  constructor(window: number, clock: Clock, stopping: AbortSignal) {
    this.store = new Store(window)
    this.clock = clock
    this.stopping = stopping
  }

  timestamp(): string {
    return timestamp(this.clock.now())
  }

  /** Does it after so many milliseconds of the clock, unless the server has stopped by then. */
  later(ms: number, act: () => void): void {
    void this.clock.sleep(ms, this.stopping).then(() => (this.stopping.aborted ? undefined : act()))
  }

  /** A controller's queue: an object whose uid is put into it is looked at a turn later, as it is then, and once. */
  queue(look: (place: Place) => void): (uid: string | undefined) => void {
    const waiting = new Set<string>()
    return (uid) => {
      if (uid === undefined || waiting.has(uid)) return
      waiting.add(uid)
      setImmediate(() => {
        waiting.delete(uid)
        const place = this.store.byUid(uid)
        if (place !== undefined) look(place)
      })
    }
  }

  /** With a name and an identity, as it is going to be stored. */
  stamped(type: ResourceType, object: KubeObject): KubeObject {
    const { deletionTimestamp: _gone, deletionGracePeriodSeconds: _grace, ...given } = object.metadata
    const name = given.name || `${given.generateName?.slice(0, longestBase)}${randomSuffix()}`
    const generation = type.isCustom || versioned.has(type.group) ? { generation: 1 } : {}
    const own = { uid: randomUUID(), creationTimestamp: this.timestamp(), ...generation }
    return { ...object, metadata: { ...given, name, ...own } }
  }

  /** Stores what is different, unless it is a dry run; an object that waited for its last finalizer goes. */
  replace({ type, object: before }: Place, after: KubeObject, isDryRun = false): KubeObject {
    if (isDeepStrictEqual(before, after)) return before
    const next = isDeepStrictEqual(specOf(type, before), specOf(type, after)) ? after : nextGeneration(after)
    if (isDryRun) return next
    const isGoing = next.metadata.deletionTimestamp !== undefined && !isHeld(next)
    return isGoing ? this.store.remove(type, next) : this.store.put(type, next)
  }

  /** Takes entries out of a list of the metadata. */
  keep<Field extends ListField>(place: Place, field: Field, isKept: (entry: Entry<Field>) => boolean): void {
    const list: readonly Entry<Field>[] = place.object.metadata[field] ?? []
    const kept = list.filter(isKept)
    this.replace(place, { ...place.object, metadata: withoutEmpty({ ...place.object.metadata, [field]: kept }) })
  }

  /** It goes at once, or waits for its finalizers. */
  delete({ type, object }: Place, propagation: Propagation = 'Background'): void {
    const finalizers = finalizersFor(type, object, propagation)
    const end = { deletionTimestamp: this.timestamp(), deletionGracePeriodSeconds: 0 }
    const metadata = withoutEmpty({ ...end, ...object.metadata, finalizers })
    const going = { ...object, metadata }
    if (!isHeld(going)) return void this.store.remove(type, object)
    if (type === namespaces) going.status = { ...object.status, phase: 'Terminating' }
    if (isDeepStrictEqual(going, object)) return
    this.store.put(type, object.metadata.deletionTimestamp === undefined ? nextGeneration(going) : going)
  }
}

function randomSuffix(): string {
  return Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
}

function finalizersFor(type: ResourceType, { metadata }: KubeObject, propagation: Propagation): string[] {
  const own = new Set<string | null>([...Object.values(finalizerOf), cleanupFinalizer])
  const others = (metadata.finalizers ?? []).filter((finalizer) => !own.has(finalizer))
  const waiting = [finalizerOf[propagation], type === definitions ? cleanupFinalizer : null]
  return [...others, ...waiting.filter((finalizer) => finalizer !== null)]
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
