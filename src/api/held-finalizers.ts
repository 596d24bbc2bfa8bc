import { isText } from './fields.ts'
import { finalizer } from './names.ts'

/** Those that say something to us. */
const read = [finalizer, 'orphan', 'foregroundDeletion']
/** In characters of JSON. */
const longestHeld = 2_048
/** Stands for all those that are not held. */
const others = '...'

/** A list that is longer than anybody needs is held as those entries of it that we read. */
export function heldFinalizers(raw: unknown): readonly string[] {
  const all = textsOf(raw)
  if (JSON.stringify(all).length <= longestHeld) return all
  return [...read.filter((name) => all.includes(name)), others]
}

/** Whether the list is longer: then it says nothing of places in it. */
export function isAbridged(held: readonly string[]): boolean {
  return held.at(-1) === others
}

/** Where in the list of an object, as it comes from the API server, ours is; -1 when it is not. */
export function placeOfFinalizer(raw: unknown): number {
  const { metadata } = raw as { readonly metadata?: { readonly finalizers?: unknown } }
  return textsOf(metadata?.finalizers).indexOf(finalizer)
}

function textsOf(raw: unknown): readonly string[] {
  return Array.isArray(raw) ? raw.filter(isText) : []
}
