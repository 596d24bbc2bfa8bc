import { notImplemented } from './failure.ts'
import { asFields, type Fields, type KubeObject } from './objects.ts'
import { jobs, namespaces, type ResourceType } from './types.ts'

/** What the API server itself writes into a new object of some types. Throws Failure. */
export function prepared(type: ResourceType, object: KubeObject): KubeObject {
  if (type === namespaces) return namespace(object)
  return type === jobs ? job(object, asFields(object.spec)) : object
}

function namespace(object: KubeObject): KubeObject {
  const { metadata } = object
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name }
  return {
    ...object,
    metadata: { ...metadata, labels },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }
}

const unsupported = [
  'podFailurePolicy',
  'successPolicy',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
  'managedBy',
  'manualSelector',
]

/** The labels by which a Job and its Pods find each other; a Job without labels gets those of its Pods. */
function job({ metadata, ...object }: KubeObject, spec: Fields): KubeObject {
  const lacking = unsupported.find((field) => spec[field] !== undefined && spec[field] !== false)
  if (lacking !== undefined) throw notImplemented(`runner for Jobs with spec.${lacking}`)
  if (spec['completionMode'] === 'Indexed') throw notImplemented('runner for Indexed Jobs')
  const { name, uid } = metadata
  const template = asFields(spec['template'])
  const selector = { 'batch.kubernetes.io/controller-uid': uid }
  const ours = { ...selector, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid, 'job-name': name }
  const labels = { ...asFields(asFields(template['metadata'])['labels']), ...ours } as Record<string, string>
  const podTemplate = { ...template, metadata: { ...asFields(template['metadata']), labels } }
  return {
    ...object,
    metadata: { ...metadata, labels: metadata.labels ?? labels },
    spec: { ...spec, selector: { matchLabels: selector }, template: podTemplate },
    status: {},
  }
}
