import { decodeSecondCronJob } from './decode.ts'

/** What a field name may be made of, to stand in a line of shell as it is. */
const plainField = /^[A-Za-z_]+$/

/**
 * What to do about a stored object whose every write is refused, as one is that an older CRD let in: the sentence names
 * the field and a command. Empty when nothing is found wrong with it.
 */
export function mendingOf(raw: unknown): string {
  const { namespace, name, spec } = decodeSecondCronJob(raw)
  const problem = spec.valid ? undefined : spec.problems.find((each) => each.startsWith('spec'))
  if (problem === undefined) return ''
  const path = problem.split(': ')[0]?.split('.') ?? []
  const at = `kubectl -n ${namespace}`
  const isPlain = path.length > 1 && path.every((field) => plainField.test(field))
  const command = isPlain
    ? `${at} patch secondcronjob ${name} --type merge -p '${patchOf(path, valueAt(raw, path))}'`
    : `${at} edit secondcronjob ${name}`
  return `${problem}; mend it, as with ${command}, then try again`
}

/** A number that was written as a text is one; whatever else is meant, only the user knows. */
function patchOf(path: readonly string[], value: unknown): string {
  const isNumber = typeof value === 'string' && /^\d{1,9}$/.test(value)
  return path.reduceRight((inner, field) => `{"${field}":${inner}}`, isNumber ? value : 'VALUE')
}

function valueAt(raw: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, field) => (value as Record<string, unknown> | undefined)?.[field], raw)
}
