import { Failure, invalid, notImplemented } from './failure.ts'
import { markCauses } from './marks.ts'
import { asFields, type Fields, type KubeObject } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { admitted, Findings, wrongType } from './schema.ts'
import { jobs, metadataSchema, namespaces, type ResourceType } from './types.ts'

/** The object with defaults and without unknown fields; `before` is null for one that is new. Throws Failure. */
export function admit(request: ApiRequest, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const object = checked(request, sent, before)
  const template = type === jobs ? asFields(asFields(object.spec)['template']) : {}
  const ofPods = markCauses(asFields(template['metadata']), 'spec.template')
  const causes = [...markCauses({ ...object.metadata }, 'metadata'), ...ofPods]
  if (causes.length > 0) throw invalid(type, object.metadata.name, causes)
  return before === null ? prepared(type, object) : object
}

function checked(request: ApiRequest, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const { name } = sent.metadata
  const schema = { ...type.schema, properties: { ...type.schema.properties, metadata: metadataSchema } }
  const found = new Findings()
  const object = admitted(schema, sent, before ?? undefined, ['', found]) as KubeObject
  tell(request, found.unknown)
  const mistyped = found.causes.find(({ reason }) => reason === wrongType)
  if (mistyped !== undefined && !type.isCustom) throw new Failure(400, `${handled(type)}: ${mistyped.message}`)
  const causes = found.causes.length > 0 ? found.causes : found.rules.flatMap((ask) => ask())
  if (causes.length > 0) throw invalid(type, name, causes)
  return object
}

/** By what the client has asked for: refused, warned of, or nothing. */
function tell({ type, query, warnings }: ApiRequest, unknown: readonly string[]): void {
  const texts = unknown.map((path) => `unknown field "${path}"`)
  const asked = query.get('fieldValidation') ?? 'Warn'
  if (asked === 'Warn') warnings.push(...texts)
  else if (asked === 'Strict' && texts.length > 0)
    throw new Failure(400, `${handled(type)}: strict decoding error: ${texts.join(', ')}`)
}

function handled({ kind, version }: ResourceType): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}`
}

/** With what the API server itself writes into a new object of some types. Throws Failure. */
export function prepared(type: ResourceType, object: KubeObject): KubeObject {
  if (type === jobs) return job(object, asFields(object.spec))
  if (type !== namespaces) return object
  const { metadata } = object
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name }
  const status = { phase: 'Active' }
  return { ...object, metadata: { ...metadata, labels }, spec: { finalizers: ['kubernetes'] }, status }
}

const unsupported = new Set(['podFailurePolicy', 'successPolicy', 'backoffLimitPerIndex', 'maxFailedIndexes'])
for (const field of ['managedBy', 'manualSelector']) unsupported.add(field)

/** The labels by which a Job and its Pods find each other; a Job without labels gets those of its Pods. */
function job({ metadata, ...object }: KubeObject, spec: Fields): KubeObject {
  const lacking = Object.keys(spec).find((field) => unsupported.has(field) && spec[field] !== false)
  if (lacking !== undefined) throw notImplemented(`runner for Jobs with spec.${lacking}`)
  if (spec['completionMode'] === 'Indexed') throw notImplemented('runner for Indexed Jobs')
  const { name, uid } = metadata
  const template = asFields(spec['template'])
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid }
  const own = { ...matchLabels, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid, 'job-name': name }
  const labels = { ...asFields(asFields(template['metadata'])['labels']), ...own } as Record<string, string>
  const podTemplate = { ...template, metadata: { ...asFields(template['metadata']), labels } }
  return {
    ...object,
    metadata: { ...metadata, labels: metadata.labels ?? labels },
    spec: { ...spec, selector: { matchLabels }, template: podTemplate },
    status: {},
  }
}
