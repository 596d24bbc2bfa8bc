import { applyPatch, type Operation } from 'rfc6902'
import { Failure, notImplemented } from './failure.ts'
import { type Fields, isFields } from './objects.ts'
import { type ApiRequest, parseJson, unsupportedMediaType } from './request.ts'

/** What the patch makes of an object. Throws Failure. */
export function patched({ type, contentType, body }: ApiRequest, object: Fields): Fields {
  const [, media = ''] = /^application\/([a-z-]+)/.exec(contentType) ?? []
  if (media === 'apply-patch') throw notImplemented('server-side apply')
  if (media === 'strategic-merge-patch' && !type.isCustom) throw notImplemented('strategic merge patch')
  if (media !== 'json-patch' && media !== 'merge-patch')
    throw unsupportedMediaType(
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    )
  const patch = parseJson(body)
  if (media === 'json-patch') return jsonPatched(object, patch)
  if (!isFields(patch)) throw new Failure(400, 'the patch must be a JSON object')
  return merged(object, patch) as Fields
}

function jsonPatched(object: Fields, patch: unknown): Fields {
  if (!Array.isArray(patch) || !patch.every(isFields))
    throw new Failure(400, 'a JSON patch must be an array of operations')
  const copy = structuredClone(object)
  for (const operation of patch as unknown as readonly Operation[])
    if (!isApplied(copy, operation))
      throw new Failure(422, 'the server rejected our request due to an error in our request')
  return copy
}

/** The API server takes a test of null for one of absence, and a replacement of what is not there for an addition. */
function isApplied(object: Fields, operation: Operation): boolean {
  const isAbsence = operation.op === 'test' && operation.value === null
  const error = attempt(object, isAbsence ? { ...operation, value: undefined } : operation)
  const isMissing = operation.op === 'replace' && error?.name === 'MissingError'
  return (isMissing ? attempt(object, { ...operation, op: 'add' }) : error) == null
}

/** The library gives some errors back, and throws others. */
function attempt(object: Fields, operation: Operation): Error | null | undefined {
  try {
    return applyPatch(object, [operation])[0]
  } catch (error) {
    return error as Error
  }
}

/** RFC 7386. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch
  const result: Fields = isFields(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch))
    if (value === null) Reflect.deleteProperty(result, key)
    else result[key] = merged(result[key], value)
  return result
}
