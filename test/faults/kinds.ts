import type { Match } from './proxy/rules.ts'

/** Every kind of write that the operator does. */
export const writes = {
  'finalizer-add': { verb: 'patch', resource: 'secondcronjobs', subresource: '', body: /"op":"add"/ },
  'job-create': { verb: 'create', resource: 'jobs', dryRun: false },
  'status-patch': { verb: 'patch', resource: 'secondcronjobs', subresource: 'status' },
  event: { verb: ['create', 'patch'], resource: 'events' },
  'job-delete': { verb: 'delete', resource: 'jobs' },
  'finalizer-remove': { verb: 'patch', resource: 'secondcronjobs', subresource: '', body: /"op":"remove"/ },
  lease: { verb: ['create', 'update'], resource: 'leases' },
} as const satisfies Record<string, Match>

export type WriteKind = keyof typeof writes

export const writeKinds = Object.keys(writes) as readonly WriteKind[]
