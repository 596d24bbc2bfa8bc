import { leaseName } from '../../src/api/names.ts'
import { ofKind, type Rule, type Thing } from './objects.ts'
import { all, type Change, one, rules } from './parts.ts'

const group = 'coordination.k8s.io'

function leases(change: (rule: Rule, role: Rule[]) => void): Change {
  return (objects) => {
    const { rules: granted } = one('Role', objects)
    for (const rule of granted.filter(({ verbs }) => verbs.includes('update'))) change(rule, granted)
  }
}

const everyName = leases((rule) => delete rule.resourceNames)
const dropped = leases((rule, granted) => granted.splice(granted.indexOf(rule), 1))
const everywhere = (rule: Partial<Rule>): Change =>
  rules(
    (granted) =>
      void granted.push({ apiGroups: [group], resources: ['leases'], verbs: ['get', 'watch', 'update'], ...rule }),
  )

/** Each of them lets the operator at Leases that are none of its business. */
export const leaseBreakages: Readonly<Record<string, Change>> = {
  'the Leases of every name': everyName,
  'the Leases of every name in every namespace, in place of its own': all(dropped, everywhere({})),
  'the Leases of every namespace as well': everywhere({}),
  'the Lease of its name in every namespace': all(dropped, everywhere({ resourceNames: [leaseName] })),
  'a second name': leases((rule) => rule.resourceNames?.push('another')),
  'one more verb': leases((rule) => rule.verbs.push('delete')),
  'no names, since the list is empty': leases((rule) => void (rule.resourceNames = [])),
  'created in every namespace': everywhere({ verbs: ['create'] }),
}

/** What is granted of Leases: `update` of each name, by the kind of its role and its namespace. */
export function leaseGrants(objects: readonly Thing[]): readonly string[] {
  return [...ofKind(objects, 'ClusterRole'), ...ofKind(objects, 'Role')]
    .flatMap(({ kind, metadata: { namespace = '' }, rules: granted }) =>
      granted
        .filter(({ apiGroups }) => apiGroups.some((name) => name === group || name === '*'))
        .filter(({ resources }) => resources.some((name) => name === 'leases' || name === '*'))
        .flatMap(({ verbs, resourceNames = [] }) =>
          verbs.map((verb) => `${kind} ${namespace}: ${verb} ${resourceNames.join(' ')}`.trim()),
        ),
    )
    .sort()
}
