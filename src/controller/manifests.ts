import PQueue from 'p-queue'
import { asRecord } from '../api/fields.ts'
import { termAnnotation } from '../api/names.ts'
import type { SecondCronJob } from '../api/secondcronjob.ts'
import type { JobTemplate } from '../api/template.ts'
import type { Instant } from '../schedule/state.ts'
import type { Store } from '../store.ts'
import { jobManifest, manualJobManifest, trialManifest } from './job-manifest.ts'
import type { JobManifest, SecondCronJobControl, WithTemplate } from './ports.ts'

/** Made at once when there is nothing to be read. */
export type MadeManifest = JobManifest | null | Promise<JobManifest | null>

type Make = (template: JobTemplate) => JobManifest

export interface ManifestsParts {
  readonly control: Pick<SecondCronJobControl, 'getWithTemplate'>
  readonly store: Pick<Store<SecondCronJob>, 'put' | 'bury'>
  /** The number of this leadership. */
  readonly transitions: () => number
}

/** Large ones that are read at once: of each the answer is in memory, and for a moment what it is parsed to. */
const atOnce = 4

/**
 * Makes the Jobs of a resource. A small template is in the store; a large one is read from the API server each time it is
 * needed, so that what the operator holds goes by the number of the resources, and not by what is put into them.
 *
 * Each method answers null when the object is no longer the one that was given, by uid and generation: the store has what
 * it is now. Each rejects with ApiError.
 */
export class Manifests {
  readonly #parts: ManifestsParts
  readonly #reading = new PQueue({ concurrency: atOnce })
  readonly #stop = new AbortController()

  constructor(parts: ManifestsParts) {
    this.#parts = parts
  }

  ofSlot(object: SecondCronJob, slot: Instant): MadeManifest {
    return this.#made(object, (template) => jobManifest(object, template, slot))
  }

  ofTrial(object: SecondCronJob): MadeManifest {
    return this.#made(object, (template) => trialManifest(object, template))
  }

  ofToken(object: SecondCronJob, now: Instant): MadeManifest {
    return this.#made(object, (template) => manualJobManifest(object, template, now))
  }

  /** What is being read is given up: it rejects. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#reading.onIdle()
  }

  #made(object: SecondCronJob, makeOne: Make): MadeManifest {
    if (!object.spec.valid) return null
    const { json } = object.spec.jobTemplate
    const make = (template: JobTemplate) => ofTerm(makeOne(template), this.#parts.transitions())
    if (json !== null) return make(JSON.parse(json) as JobTemplate)
    return this.#reading.add(() => this.#read(object, make))
  }

  async #read(object: SecondCronJob, make: Make): Promise<JobManifest | null> {
    const { control, store } = this.#parts
    const found = await control.getWithTemplate(object.namespace, object.name, this.#stop.signal)
    if (found?.object.uid !== object.uid) {
      store.bury(object.uid)
      return null
    }
    store.put(found.object)
    return manifestOf(found, object, make)
  }
}

/** Says by which leadership it was sent: a leader that was stopped may wake up, and send what it had decided. */
function ofTerm(manifest: JobManifest, transitions: number): JobManifest {
  const { metadata } = manifest
  const annotations = { ...asRecord(metadata['annotations']), [termAnnotation]: String(transitions) }
  return { ...manifest, metadata: { ...metadata, annotations } }
}

/** Not of an older generation either, whatever may have become of the API server's memory. */
function manifestOf({ object, template }: WithTemplate, { generation }: SecondCronJob, make: Make): JobManifest | null {
  return template === null || object.generation !== generation ? null : written(make(template))
}

/** As bytes: while its create is on its way it takes what it weighs and no more. */
function written(manifest: JobManifest): JobManifest {
  const { name, namespace, ownerReferences } = manifest.metadata
  const json = new TextEncoder().encode(JSON.stringify(manifest))
  return { ...manifest, metadata: { name, namespace, ownerReferences }, spec: {}, json }
}
