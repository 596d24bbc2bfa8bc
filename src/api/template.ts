import { asRecord, isRecord } from './fields.ts'

/** The Job of each run, as the user wrote it, unknown fields included, or the shorthand written out. */
export interface JobTemplate {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: Readonly<Record<string, unknown>>
}

/** What is kept of a template, so that a resource costs the same whatever its user puts into it. */
export interface HeldTemplate {
  /** The template in JSON, or null: then it is large, and read from the API server each time it is needed. */
  readonly json: string | null
  readonly ttlSecondsAfterFinished: number | null
}

/** In bytes, as V8 keeps a text: what a resource takes apart from its template, about twice over. */
export const largestHeld = 8_192

/** Of a spec that is right, as it comes from the API server. A jobTemplate is passed on as it stands. */
export function templateOf(resourceName: string, spec: Readonly<Record<string, unknown>>): JobTemplate {
  const { jobTemplate, image, name, command, args } = spec
  if (isRecord(jobTemplate)) {
    const { labels, annotations } = asRecord(jobTemplate['metadata'])
    const metadata = { labels: asRecord(labels), annotations: asRecord(annotations) } as JobTemplate['metadata']
    return { metadata, spec: asRecord(jobTemplate['spec']) }
  }
  const container = {
    name: name ?? resourceName,
    image,
    ...(command == null ? {} : { command }),
    ...(args == null ? {} : { args }),
  }
  return {
    metadata: { labels: {}, annotations: {} },
    spec: { backoffLimit: 3, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
}

export function heldTemplate(template: JobTemplate): HeldTemplate {
  const json = JSON.stringify(template)
  const ttl = template.spec['ttlSecondsAfterFinished']
  return {
    json: json.length <= largestHeld && bytesOf(json) <= largestHeld ? json : null,
    ttlSecondsAfterFinished: typeof ttl === 'number' ? ttl : null,
  }
}

/** One character beyond Latin 1 doubles the whole text. */
function bytesOf(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length
}
