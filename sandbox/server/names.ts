import { asFields, type Fields, type KubeObject } from './objects.ts'
import { type Cause, wrong } from './schema.ts'

/** What may stand in names, labels and annotations, in the words of the API server. */

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const dnsLabelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const labelMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const keyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** Of all annotations of an object together. */
const longestAnnotations = 262_144

export function nameCauses(name: string): readonly Cause[] {
  return subdomain.test(name) ? [] : [wrong('metadata.name', name, subdomainMessage)]
}

/** Of the labels and annotations below `path`. */
export function markCauses({ labels, annotations }: Fields, path: string): readonly Cause[] {
  const values = Object.values(asFields(labels)).filter((value) => !label.test(String(value)))
  return [
    ...keyCauses(labels, `${path}.labels`),
    ...values.map((value) => wrong(`${path}.labels`, value, labelMessage)),
    ...keyCauses(annotations, `${path}.annotations`),
    ...sizeCauses(annotations, `${path}.annotations`),
  ]
}

/** Of the Pods that a Job will make: marks, and the names of containers. */
export function templateCauses({ spec }: KubeObject): readonly Cause[] {
  const template = asFields(spec?.['template'])
  const pod = asFields(template['spec'])
  const lists = ['initContainers', 'containers']
  const causes = lists.flatMap((list) => containerCauses(pod[list], `spec.template.spec.${list}`))
  return [...markCauses(asFields(template['metadata']), 'spec.template'), ...causes]
}

function keyCauses(marks: unknown, path: string): readonly Cause[] {
  const keys = Object.keys(asFields(marks)).filter((key) => !keyName.test(key.split('/').at(-1) ?? ''))
  return keys.map((key) => wrong(path, key, keyMessage))
}

function sizeCauses(annotations: unknown, path: string): readonly Cause[] {
  const bytes = Object.entries(asFields(annotations)).reduce((sum, [key, value]) => sum + bytesOf(key, value), 0)
  if (bytes <= longestAnnotations) return []
  const message = `Too long: may not be more than ${longestAnnotations} bytes`
  return [{ reason: 'FieldValueTooLong', message, field: path }]
}

function bytesOf(key: string, value: unknown): number {
  return Buffer.byteLength(key) + Buffer.byteLength(String(value))
}

function containerCauses(containers: unknown, path: string): readonly Cause[] {
  const names = (Array.isArray(containers) ? containers : []).map((container) => asFields(container)['name'])
  return names.flatMap((name, n) =>
    dnsLabel.test(String(name)) ? [] : [wrong(`${path}[${n}].name`, name, dnsLabelMessage)],
  )
}
