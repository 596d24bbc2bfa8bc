import { Failure, invalid, notImplemented } from './failure.ts'
import { asFields, type Fields, type KubeObject, withoutEmpty } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { admitted, type Cause, Findings, wrong, wrongType } from './schema.ts'
import { jobs, metadataSchema, namespaces, type ResourceType } from './types.ts'

/** The object with defaults and without unknown fields; `before` is null for one that is new. Throws Failure. */
export function admit(request: ApiRequest, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const schema = { ...type.schema, properties: { ...type.schema.properties, metadata: metadataSchema } }
  const found = new Findings()
  const object = admitted(schema, sent, before ?? undefined, ['', found]) as KubeObject
  tell(request, found.unknown)
  const mistyped = found.causes.find(({ reason }) => reason === wrongType)
  if (mistyped !== undefined && !type.isCustom) throw new Failure(400, `${handled(type)}: ${mistyped.message}`)
  const rules = () => [...found.rules.flatMap((ask) => ask()), ...markCauses(type, object)]
  const causes = found.causes.length > 0 ? found.causes : rules()
  if (causes.length > 0) throw invalid(type, sent.metadata.name, causes)
  const kept = { ...object, metadata: withoutEmpty(object.metadata) }
  return before === null ? prepared(type, kept) : kept
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
  const ofPods = asFields(template['metadata'])
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid }
  const own = { ...matchLabels, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid, 'job-name': name }
  const labels = { ...asFields(ofPods['labels']), ...own } as Record<string, string>
  return {
    ...object,
    metadata: { ...metadata, labels: metadata.labels ?? labels },
    spec: { ...spec, selector: { matchLabels }, template: { ...template, metadata: { ...ofPods, labels } } },
    status: {},
  }
}

/** What may stand in labels and annotations, in the words of the API server. */
const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/
const labelMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const key = /^([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/
const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const tooLong = 'must be no more than 63 bytes'

/** Of labels and annotations: its own, and those of the Pods that a Job will make. */
function markCauses(type: ResourceType, { metadata, spec }: KubeObject): readonly Cause[] {
  const { labels, annotations } = asFields(asFields(spec?.['template'])['metadata'])
  const ofPods = { labels: { ...asFields(labels), 'job-name': metadata.name }, annotations }
  return [...causesIn({ ...metadata }, 'metadata'), ...(type === jobs ? causesIn(ofPods, 'spec.template') : [])]
}

function causesIn(marks: Fields, path: string): readonly Cause[] {
  const keys = ['labels', 'annotations'].flatMap((field) => {
    const others = Object.keys(asFields(marks[field])).filter((name) => !key.test(name))
    return others.map((name) => wrong(`${path}.${field}`, name, keyMessage))
  })
  const values = Object.values(asFields(marks['labels'])).map(String)
  const others = values.filter((value) => !label.test(value))
  return [...keys, ...others.map((value) => wrong(`${path}.labels`, value, value.length > 63 ? tooLong : labelMessage))]
}
