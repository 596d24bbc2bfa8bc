import { isDeepStrictEqual } from 'node:util'
import { metadataSchema, open } from './builtin-schemas.ts'
import { badRequest, type Cause, invalid } from './failure.ts'
import { markCauses, nameCauses, templateCauses } from './names.ts'
import type { KubeObject } from './objects.ts'
import { prepared } from './preparation.ts'
import type { ApiRequest } from './request.ts'
import { admitted, Findings, type Schema, wrong, wrongType } from './schema.ts'
import { jobs } from './types.ts'

/** The fields of a Job's spec that stay as they were. */
const immutable = ['completions', 'completionMode', 'selector', 'template']

/** The object with defaults and without unknown fields; `before` is null for one that is new. Throws Failure. */
export function admit(request: ApiRequest, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const { name } = sent.metadata
  refuse(request, name, before === null ? nameCauses(name) : [])
  const object = checked(request, type.schema ?? open, sent, before)
  const marks = markCauses({ ...object.metadata }, 'metadata')
  refuse(request, name, type === jobs ? [...marks, ...templateCauses(object)] : marks)
  if (before === null) return prepared(type, object)
  refuse(request, name, type === jobs ? immutable.flatMap((field) => changeCauses(field, object, before)) : [])
  return object
}

function refuse({ type }: ApiRequest, name: string, causes: readonly Cause[]): void {
  if (causes.length > 0) throw invalid(type, name, causes)
}

function changeCauses(field: string, { spec }: KubeObject, before: KubeObject): readonly Cause[] {
  if (isDeepStrictEqual(spec?.[field], before.spec?.[field])) return []
  const message = `Invalid value: ${JSON.stringify(spec?.[field])}: field is immutable`
  return [{ reason: 'FieldValueInvalid', message, field: `spec.${field}` }]
}

function checked(request: ApiRequest, own: Schema, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const { name } = sent.metadata
  const schema = { ...own, properties: { ...own.properties, metadata: metadataSchema } }
  const found = new Findings()
  const object = admitted(schema, sent, before ?? undefined, { path: '', found }) as KubeObject
  tell(request, found.unknown)
  const mistyped = found.causes.find(({ reason }) => reason === wrongType)
  if (mistyped !== undefined && !type.isCustom) throw badRequest(`${handled(request)}: ${mistyped.message}`)
  const isUnchecked = found.causes.some(({ reason }) => reason === wrongType || reason === 'FieldValueRequired')
  if (isUnchecked && type.isCustom) throw invalid(type, name, [...found.causes, unchecked])
  const causes = found.causes.length > 0 ? found.causes : found.rules.flatMap((ask) => ask())
  refuse(request, name, causes)
  return object
}

const unchecked: Cause = wrong(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

/** By what the client has asked for: refused, warned of, or nothing. */
function tell(request: ApiRequest, unknown: readonly string[]): void {
  const texts = unknown.map((path) => `unknown field "${path}"`)
  const asked = request.query.get('fieldValidation') ?? 'Warn'
  if (asked === 'Warn') request.warnings.push(...texts)
  else if (asked === 'Strict' && texts.length > 0)
    throw badRequest(`${handled(request)}: strict decoding error: ${texts.join(', ')}`)
}

function handled({ type: { kind, version } }: ApiRequest): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}`
}
