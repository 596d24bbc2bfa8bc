import { applyPatch, type Operation } from 'rfc6902'
import { badRequest, Failure, notImplemented } from './failure.ts'
import { type Fields, isFields } from './objects.ts'
import { type ApiRequest, parseJson, unsupportedMediaType } from './request.ts'

const json = 'application/json-patch+json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'

/** What the patch makes of an object. Throws Failure. */
export function patched({ type, contentType, body }: ApiRequest, object: Fields): Fields {
  const media = contentType.split(';')[0]?.trim() ?? ''
  if (media.startsWith('application/apply-patch')) throw notImplemented('server-side apply')
  const patch = parseJson(body)
  if (media === json) return jsonPatched(object, patch)
  if (!isFields(patch)) throw badRequest('the patch must be a JSON object')
  if (media === merge) return merged(object, patch) as Fields
  if (media === strategic && !type.isCustom) return strategicallyMerged(object, patch)
  throw unsupportedMediaType([json, merge, ...(type.isCustom ? [] : [strategic])])
}

function jsonPatched(object: Fields, patch: unknown): Fields {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch must be an array of operations')
  const copy = structuredClone(object)
  // The API server takes a test of null for one of absence.
  const operations = (patch as Operation[]).map((operation) =>
    operation.op === 'test' && operation.value === null ? { ...operation, value: undefined } : operation,
  )
  for (const operation of operations) {
    const [error] = applyPatch(copy, [operation])
    if (error != null) throw rejected()
  }
  return copy
}

function rejected(): Failure {
  return new Failure(422, 'Invalid', 'the server rejected our request due to an error in our request')
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

/** The keys by which lists of objects are merged; all other lists are replaced. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  ports: 'containerPort',
  conditions: 'type',
  ownerReferences: 'uid',
  imagePullSecrets: 'name',
}

function strategicallyMerged(target: unknown, patch: Fields): Fields {
  const result: Fields = isFields(target) && patch['$patch'] !== 'replace' ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    const deleted = /^\$deleteFromPrimitiveList\/(.*)$/.exec(key)?.[1]
    if (deleted !== undefined) result[deleted] = listOf(result[deleted]).filter((item) => !listOf(value).includes(item))
    else if (key.startsWith('$')) continue
    else if (value === null) Reflect.deleteProperty(result, key)
    else if (Array.isArray(value)) result[key] = mergedList(key, result[key], value)
    else result[key] = isFields(value) ? strategicallyMerged(result[key], value) : value
  }
  return result
}

function mergedList(key: string, target: unknown, patch: readonly unknown[]): unknown[] {
  const before = listOf(target)
  if (key === 'finalizers') return [...new Set([...before, ...patch])]
  const mergeKey = mergeKeys[key]
  if (mergeKey === undefined) return [...patch]
  const byKey = new Map(before.filter(isFields).map((item) => [item[mergeKey], item]))
  for (const item of patch.filter(isFields))
    if (item['$patch'] === 'delete') byKey.delete(item[mergeKey])
    else if (item[mergeKey] !== undefined)
      byKey.set(item[mergeKey], strategicallyMerged(byKey.get(item[mergeKey]), item))
  return [...byKey.values()]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
