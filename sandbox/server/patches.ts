import { applyPatch, type Operation } from 'rfc6902'
import { Failure, notImplemented } from './failure.ts'
import { type Fields, isFields } from './objects.ts'
import { type ApiRequest, parseJson, unsupportedMediaType } from './request.ts'

/** Throws Failure for what is no patch that is understood here, whatever it is about. */
export function checkPatch({ type, contentType }: ApiRequest): void {
  if (contentType.startsWith('application/apply-patch')) throw notImplemented('server-side apply')
  const isStrategic = contentType.startsWith('application/strategic-merge-patch')
  if (isStrategic && !type.isCustom) throw notImplemented('strategic merge patch')
  if (isStrategic || !/^application\/(json|merge)-patch\+json/.test(contentType))
    throw unsupportedMediaType(
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    )
}

/** What a patch that was checked makes of an object. Throws Failure. */
export function patched({ contentType, body }: ApiRequest, object: Fields): Fields {
  const patch = parseJson(body)
  if (contentType.startsWith('application/json-patch')) return jsonPatched(object, patch)
  if (!isFields(patch)) throw new Failure(400, 'the patch must be a JSON object')
  return merged(object, patch) as Fields
}

function jsonPatched(object: Fields, patch: unknown): Fields {
  if (!Array.isArray(patch) || !patch.every(isFields))
    throw new Failure(400, 'a JSON patch must be an array of operations')
  // The API server takes a test of null for one of absence.
  const operations = patch.map((each) =>
    each['op'] === 'test' ? { ...each, value: each['value'] ?? undefined } : each,
  )
  const copy = structuredClone(object)
  try {
    // The library gives some errors back, and throws others.
    if (applyPatch(copy, operations as unknown as Operation[]).every((error) => error === null)) return copy
  } catch {}
  throw new Failure(422, 'the server rejected our request due to an error in our request')
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
