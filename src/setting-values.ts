import * as z from 'zod'

/** What the values of settings are read by; each error is the end of the sentence `write …`. */

export const text = (sentence: string) => z.string().trim().min(1, sentence)

export function whole(min: number, max: number, standard: number): z.ZodType<number> {
  const sentence = `a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .refine((number) => number >= min && number <= max, sentence)
    .default(standard)
}

/** Milliseconds of `6s`, `4.5s` or `500ms`, as Go writes durations. */
export function duration(standard: string): z.ZodType<number> {
  const sentence = 'a duration such as 6s, 4.5s or 500ms'
  return z
    .string()
    .regex(/^\d{1,5}(\.\d{1,3})?(s|ms)$/, sentence)
    .transform((given) => Math.round(Number.parseFloat(given) * (given.endsWith('ms') ? 1 : 1_000)))
    .refine((ms) => ms >= 100 && ms <= 600_000, 'a duration from 100ms to 600s')
    .prefault(standard)
}

export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Of DNS labels with dots between them, as Pods have them; it is sent with every request. */
export const podNames = z
  .string()
  .refine(
    (name) => name.length <= 253 && name.split('.').every((part) => label.test(part)),
    'a name of lower case letters, digits, - and .',
  )

/** Each of them is watched on connections of its own. */
const mostNamespaces = 50

export const namespaces = z
  .string()
  .transform((list) => [...new Set(list.split(',').map((name) => name.trim()))])
  .refine((names) => names.every((name) => label.test(name)), 'names of namespaces, separated by commas')
  .refine((names) => names.length <= mostNamespaces, `at most ${mostNamespaces} namespaces, or none for all`)

export const namespaceName = z.string().regex(label, 'the name of a namespace')
