import type { Mutant } from './mutants.ts'

const fenced = 'src/kube/fenced.ts'
const guard = 'src/kube/write-guard.ts'
const jobs = 'src/kube/job-control.ts'
const objects = 'src/kube/secondcronjob-control.ts'
const fencedTest = 'test/unit/kube/fenced.test.ts'
const controlsTest = 'test/integration/controls.test.ts'
const transportTest = 'test/integration/transport.test.ts'

/** What is sent, and whether it may be. */
export const writeMutants: readonly Mutant[] = [
  {
    name: 'the fence is asked when a write is queued, not when it is written',
    changes: [
      {
        file: fenced,
        text: 'const isWanted = () => holds() &&',
        by: 'const held = holds()\n      const isWanted = () => held &&',
      },
    ],
    killers: [fencedTest],
  },
  {
    name: 'a Job does not say by which leadership it was sent',
    changes: [
      {
        file: 'src/controller/manifests.ts',
        text: 'ofTerm(makeOne(template), this.#parts.transitions())',
        by: 'makeOne(template)',
      },
    ],
    killers: ['test/unit/controller/manifests.test.ts'],
  },
  {
    name: 'a Lease that its holder makes anew counts one more',
    changes: [
      {
        file: 'src/leader/lease.ts',
        text: 'if (known.lease.holder === identity) return known.lease.transitions',
        by: 'if (known.lease.holder === identity) return known.lease.transitions + 1',
      },
    ],
    killers: ['test/unit/leader/lease-end.test.ts'],
  },
  {
    name: 'only creates are fenced',
    changes: [{ file: fenced, text: "request.method === 'GET'", by: "request.method !== 'POST'" }],
    killers: [fencedTest],
  },
  {
    name: 'what is on its way at the end of a term is not aborted',
    changes: [{ file: fenced, text: 'const signals = [expired,', by: 'void expired\n      const signals = [' }],
    killers: [fencedTest],
  },
  {
    name: 'a write that is no longer wanted is not asked about',
    changes: [{ file: fenced, text: 'holds() && (request.isWanted?.() ?? true)', by: 'holds()' }],
    killers: [fencedTest],
  },
  {
    name: 'whether a request is wanted is asked when it is handed to the pool',
    changes: [
      {
        file: guard,
        text: 'return dispatch(options, isWanted === undefined ? handler : guarded(handler, isWanted))',
        by: 'const was = isWanted?.() ?? true\n  return dispatch(options, guarded(handler, () => was))',
      },
    ],
    killers: [transportTest],
  },
  {
    name: 'a merge patch for the status',
    changes: [
      {
        file: objects,
        text: "return this.#patch(object, '/status', [guard, { op: 'add', path: '/status', value: status }])",
        by: `void guard
    const path = \`\${secondCronJobPath(object.namespace, object.name)}/status\`
    const body = { metadata: { uid: object.uid, resourceVersion }, status }
    const contentType = 'application/merge-patch+json'
    const answer = await this.#transport.request({ method: 'PATCH', path, lane: 'control', contentType, body })
    return understood(answer.body, decodeSecondCronJob)`,
      },
    ],
    killers: [controlsTest],
  },
  {
    name: 'a status without a test of the handledUntil that was seen',
    changes: [{ file: objects, text: "'/status', [guard, {", by: "'/status', [{" }],
    killers: [controlsTest],
  },
  {
    name: 'a patch without a test of the uid',
    changes: [
      {
        file: objects,
        text: "[{ op: 'test', path: '/metadata/uid', value: object.uid }, ...operations]",
        by: 'operations',
      },
    ],
    killers: [controlsTest],
  },
  {
    name: 'the finalizer is removed at an index without a test',
    changes: [{ file: objects, text: "{ op: 'test', path, value: finalizer },", by: '' }],
    killers: [controlsTest],
  },
  {
    name: 'the finalizer is added over what others have added',
    changes: [{ file: objects, text: "[{ op: 'test', path, value: object.finalizers } as const]", by: '[]' }],
    killers: [controlsTest],
  },
  {
    name: 'a Job is deleted without preconditions',
    changes: [
      {
        file: jobs,
        text: 'preconditions: { uid, resourceVersion },',
        by: 'preconditions: uid === resourceVersion ? {} : undefined,',
      },
    ],
    killers: [controlsTest],
  },
  {
    name: 'a Job is deleted at whatever version it is',
    changes: [{ file: jobs, text: 'preconditions: { uid, resourceVersion },', by: 'preconditions: { uid },' }],
    killers: [controlsTest],
  },
  {
    name: 'a create has no time limit for the server',
    changes: [{ file: jobs, text: '    timeout: `${Math.ceil(timeoutMs)}ms`,\n', by: '' }],
    killers: [controlsTest],
  },
  {
    name: 'whatever is refused is taken for gone',
    changes: [
      {
        file: jobs,
        text: "thrown.kind === 'NotFound'",
        by: "(thrown.kind === 'NotFound' || thrown.kind === 'Forbidden')",
      },
    ],
    killers: [controlsTest],
  },
  {
    name: 'a 404 of a missing CRD is taken for a deleted object',
    changes: [
      {
        file: 'src/kube/classify-error.ts',
        text: "details.name === undefined ? 'NoSuchResource' : 'NotFound'",
        by: "'NotFound'",
      },
    ],
    killers: [controlsTest],
  },
]
