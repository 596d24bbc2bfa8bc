import { asFields, type Fields } from './objects.ts'
import { type Cause, cause, wrong } from './schema.ts'

/** What may stand in labels and annotations, in the words of the API server. */

const label = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const labelMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const keyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const keyMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

/** Of all annotations of an object together. */
const longestAnnotations = 262_144

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

function keyCauses(marks: unknown, path: string): readonly Cause[] {
  const keys = Object.keys(asFields(marks)).filter((key) => !keyName.test(key.split('/').at(-1) ?? ''))
  return keys.map((key) => wrong(path, key, keyMessage))
}

function sizeCauses(annotations: unknown, path: string): readonly Cause[] {
  const bytes = Buffer.byteLength(Object.entries(asFields(annotations)).flat().join(''))
  const message = `Too long: may not be more than ${longestAnnotations} bytes`
  return bytes > longestAnnotations ? [cause('TooLong', path, message)] : []
}
