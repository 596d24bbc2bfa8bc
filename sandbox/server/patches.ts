import { applyPatch, type Operation, Pointer } from 'rfc6902'
import { Failure, notImplemented } from './failure.ts'
import { asFields, type Fields, isFields } from './objects.ts'
import { type ApiRequest, parseBody } from './request.ts'

const [jsonPatch, mergePatch] = ['application/json-patch+json', 'application/merge-patch+json']
const strategicPatch = 'application/strategic-merge-patch+json'

/** How the patch changes an object. Throws Failure when it is none that is understood here, whatever it is about. */
export function patchOf(request: ApiRequest): (object: Fields) => Fields {
  const { type, contentType, body } = request
  const [media = ''] = contentType.split(';')
  if (media.startsWith('application/apply-patch')) throw notImplemented('server-side apply')
  if (media === strategicPatch && !type.isCustom) return (object) => merged(object, withoutLists(parseBody(request)))
  if (media === jsonPatch) return (object) => jsonPatched(object, JSON.parse(body))
  if (media === mergePatch) return (object) => merged(object, parseBody(request))
  const accepted = `${jsonPatch}, ${mergePatch}, application/apply-patch+yaml`
  throw new Failure(415, `the body of the request was in an unknown format - accepted media types include: ${accepted}`)
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
    if (operations.every((each) => isApplied(copy, each as unknown as Operation))) return copy
  } catch {}
  throw new Failure(422, 'the server rejected our request due to an error in our request')
}

/** A strategic merge patch that says the same as a merge patch: no list, whose entries might be merged, and no directive. */
function withoutLists(patch: Fields): Fields {
  for (const [key, value] of Object.entries(patch))
    if (Array.isArray(value) || key.startsWith('$'))
      throw notImplemented(`strategic merge patch of lists, such as ${key} (but --type merge, and replace)`)
    else if (isFields(value)) withoutLists(value)
  return patch
}

/** A list has no other fields than its items, whatever JavaScript has. */
function isApplied(copy: Fields, operation: Operation): boolean {
  const { parent, key } = Pointer.fromJSON(operation.path).evaluate(copy)
  if (Array.isArray(parent) && !/^(-|0|[1-9]\d*)$/.test(key)) return false
  return applyPatch(copy, [operation])[0] === null
}

/** RFC 7386. */
function merged(target: Fields, patch: Fields): Fields {
  const result = { ...target }
  for (const [key, value] of Object.entries(patch))
    if (value === null) Reflect.deleteProperty(result, key)
    else result[key] = isFields(value) ? merged(asFields(result[key]), value) : value
  return result
}
