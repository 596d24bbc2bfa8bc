import { asFields, type KubeObject } from './objects.ts'
import { jobs, namespaces, type ResourceType } from './types.ts'

/** What the API server itself writes into a new object of some types. */
export function prepared(type: ResourceType, object: KubeObject): KubeObject {
  if (type === namespaces) return namespace(object)
  return type === jobs ? job(object) : object
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

/** The labels by which a Job and its Pods find each other; a Job without labels gets those of its Pods. */
function job(object: KubeObject): KubeObject {
  const { name, uid } = object.metadata
  const template = asFields(object.spec?.['template'])
  const metadata = asFields(template['metadata'])
  const selector = { 'batch.kubernetes.io/controller-uid': uid }
  const ours = { ...selector, 'batch.kubernetes.io/job-name': name, 'controller-uid': uid, 'job-name': name }
  const labels = { ...asFields(metadata['labels']), ...ours } as Record<string, string>
  const spec = {
    ...object.spec,
    selector: { matchLabels: selector },
    template: { ...template, metadata: { ...metadata, labels } },
  }
  return { ...object, metadata: { ...object.metadata, labels: object.metadata.labels ?? labels }, spec, status: {} }
}
