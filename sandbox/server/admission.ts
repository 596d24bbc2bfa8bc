import { badRequest, type Cause, invalid } from './failure.ts'
import { metadataSchema } from './builtin-schemas.ts'
import type { KubeObject } from './objects.ts'
import type { ApiRequest } from './request.ts'
import { normalized, type Schema } from './schema.ts'
import { prepared } from './preparation.ts'
import { validate, validateRules } from './validation.ts'

const name = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const nameMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

/** The object with defaults and without unknown fields; `before` is null for one that is new. Throws Failure. */
export function admit(request: ApiRequest, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  if (before === null && !name.test(sent.metadata.name))
    throw invalid(type, sent.metadata.name, [wrongName(sent.metadata.name)])
  const object = type.schema === undefined ? sent : checked(request, type.schema, sent, before)
  return before === null ? prepared(type, object) : object
}

function checked(request: ApiRequest, own: Schema, sent: KubeObject, before: KubeObject | null): KubeObject {
  const { type } = request
  const schema = { ...own, properties: { ...own.properties, metadata: metadataSchema } }
  const unknown: string[] = []
  const object = normalized(schema, sent, '', unknown) as KubeObject
  tell(request, unknown)
  const causes = validate(schema, object, '', before ?? undefined)
  const wrongType = causes.find(({ reason }) => reason === 'FieldValueTypeInvalid')
  if (wrongType !== undefined && !type.isCustom) throw badRequest(`${handled(request)}: ${wrongType.message}`)
  if (wrongType !== undefined) throw invalid(type, sent.metadata.name, [...causes, unchecked])
  const broken = causes.length > 0 ? causes : validateRules(schema, object, '', before ?? undefined)
  if (broken.length > 0) throw invalid(type, sent.metadata.name, broken)
  return object
}

const unchecked: Cause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
}

function wrongName(value: string): Cause {
  return {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${nameMessage}`,
    field: 'metadata.name',
  }
}

/** By what the client has asked for: refused, warned of, or nothing. */
function tell(request: ApiRequest, unknown: readonly string[]): void {
  const texts = unknown.map((path) => `unknown field "${path}"`)
  const asked = request.query.get('fieldValidation') ?? 'Warn'
  if (asked === 'Warn') request.warnings.push(...texts)
  else if (asked === 'Strict' && texts.length > 0)
    throw badRequest(`${handled(request)}: strict decoding error: ${texts.join(', ')}`)
}

function handled({ type }: ApiRequest): string {
  return `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}`
}
