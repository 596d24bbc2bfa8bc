import type { Check } from './check.ts'
import { type Binding, inSameNamespace, ofKind, type Role, type Rule, type Thing } from './objects.ts'

type Kind = 'Role' | 'ClusterRole'
type BindingKind = 'RoleBinding' | 'ClusterRoleBinding'

export const workloads = 'pods deployments statefulsets replicasets cronjobs jobs daemonsets'.split(' ')

function has(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.some((name) => name === '*' || wanted.includes(name))
}

/** Does the rule allow one of these verbs on one of these resources? A wildcard allows everything. */
export function allows(rule: Rule, resources: readonly string[], verbs: readonly string[]): boolean {
  return has(rule.resources, resources) && has(rule.verbs, verbs)
}

export function allowsExec(rule: Rule): boolean {
  const ofPods = rule.apiGroups.some((group) => group === '' || group === '*')
  return ofPods && allows(rule, ['pods/exec', 'pods/attach'], ['get', 'create'])
}

export function allowsEverything({ apiGroups, resources, verbs }: Rule): boolean {
  return [apiGroups, resources, verbs].every((names) => names.includes('*'))
}

export function roles(kind: Kind, isBad: (rule: Rule) => boolean): Check {
  return (objects) =>
    ofKind(objects, kind)
      .filter(({ rules }) => rules.some(isBad))
      .map(({ metadata }) => `${kind} ${metadata.name}`)
}

/** The bindings of this kind to a role of one of these kinds that is bad by its name or by one of its rules. */
export function bindings(kind: BindingKind, to: readonly Kind[], isBad: (role: Role) => boolean): Check {
  return (objects) =>
    ofKind(objects, kind)
      .filter(({ roleRef }) => to.includes(roleRef.kind as Kind))
      .filter((binding) => isBad(boundRole(binding, objects)))
      .map(({ metadata, roleRef }) => `${kind} ${metadata.name} to ${roleRef.kind} ${roleRef.name}`)
}

/** The role of a binding; one without rules when it isn't among the objects. */
function boundRole(binding: Binding, objects: readonly Thing[]): Role {
  const { kind, name } = binding.roleRef
  const found = ofKind(objects, kind as Kind).find(
    (role) => role.metadata.name === name && (kind === 'ClusterRole' || inSameNamespace(role, binding)),
  )
  return found ?? { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name }, rules: [] }
}
