import type { AuditRecord } from '../../support/audit.ts'
import { keyOf } from './jobs-seen.ts'
import type { Violation } from './violation.ts'

interface Operation {
  readonly op: string
  readonly path: string
}

interface Meta {
  readonly metadata?: { readonly deletionTimestamp?: string }
}

const mine = '/metadata/finalizers'

/**
 * What the operator writes: Jobs it creates and deletes one by one; of a resource it writes the status, and its finalizer.
 * Whatever is asked for in a spec or told by a Job counts as somebody else's word: so it may not come from the operator.
 */
export function checkHands(records: readonly AuditRecord[], user: string): readonly Violation[] {
  const own = records.filter((record) => record.user === user && record.code < 300 && !record.dryRun)
  return own.flatMap((record) => {
    const detail = wrongIn(record)
    return detail === null ? [] : [{ kind: 'meddled' as const, resource: keyOf(record), detail }]
  })
}

const reads = new Set(['get', 'list', 'watch'])

function wrongIn(record: AuditRecord): string | null {
  const { verb, resource, subresource } = record
  const what = `${verb} ${subresource === '' ? resource : `${resource}/${subresource}`}`
  if (reads.has(verb)) return null
  if (resource === 'jobs') return ['create jobs', 'delete jobs'].includes(what) ? null : what
  if (resource !== 'secondcronjobs' || what === 'patch secondcronjobs/status') return null
  return what === 'patch secondcronjobs' ? wrongPatch(record) : what
}

function wrongPatch({ request, response }: AuditRecord): string | null {
  if (request === undefined) return null
  const operations = Array.isArray(request) ? (request as readonly Operation[]) : operationsOf(request as object)
  const writes = operations.filter(({ op }) => op !== 'test')
  const other = writes.find(({ path }) => path !== mine && !path.startsWith(`${mine}/`))
  if (other !== undefined) return `patch of ${other.path}`
  const isGoing = (response as Meta | undefined)?.metadata?.deletionTimestamp !== undefined
  return !isGoing && writes.some(({ op }) => op === 'remove')
    ? 'its finalizer is taken off, and nobody deletes it'
    : null
}

/** Of a merge patch. Who says which one is meant writes nothing. */
function operationsOf({ metadata = {}, ...rest }: { readonly metadata?: object }): readonly Operation[] {
  const fields = Object.keys(metadata).filter((field) => !['uid', 'resourceVersion'].includes(field))
  return [...Object.keys(rest).map((field) => `/${field}`), ...fields.map((field) => `/metadata/${field}`)].map(
    (path) => {
      return { op: 'replace', path }
    },
  )
}
