import type { Schema } from './schema.ts'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'object', additionalProperties: text }
/** An object of which nothing more is known. */
export const open: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const count: Schema = { type: 'integer', minimum: 0 }

/** Several fields of one schema; of most only the names are known. */
function anyOf(names: string, schema: Schema = {}): Record<string, Schema> {
  return Object.fromEntries(names.split(' ').map((name) => [name, schema]))
}

function object(properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema {
  return { type: 'object', properties, required }
}

const owner: Schema = {
  ...object(anyOf('apiVersion kind name uid', text), 'apiVersion', 'kind', 'name', 'uid'),
  'x-kubernetes-preserve-unknown-fields': true,
}

/** Of every object. */
export const metadataSchema: Schema = object({
  ...anyOf('uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds selfLink'),
  managedFields: {},
  ownerReferences: { type: 'array', items: owner },
  ...anyOf('name generateName namespace', text),
  ...anyOf('labels annotations', texts),
  finalizers: { type: 'array', items: text },
})

const container = object(
  {
    ...anyOf('command args workingDir ports envFrom env resizePolicy restartPolicy restartPolicyRules'),
    ...anyOf('volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle stdin stdinOnce tty'),
    ...anyOf('name image', text),
    securityContext: {},
    resources: { default: {} },
    imagePullPolicy: { default: 'Always' },
    terminationMessagePath: { default: '/dev/termination-log' },
    terminationMessagePolicy: { default: 'File' },
  },
  'name',
  'image',
)
const containers: Schema = { type: 'array', items: container }

const podSpec = object(
  {
    ...anyOf('volumes ephemeralContainers activeDeadlineSeconds nodeSelector serviceAccountName serviceAccount'),
    ...anyOf('automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace hostUsers'),
    ...anyOf('imagePullSecrets hostname subdomain affinity tolerations hostAliases priorityClassName priority'),
    ...anyOf('dnsConfig readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead'),
    ...anyOf('topologySpreadConstraints setHostnameAsFQDN os schedulingGates resourceClaims resources'),
    containers: { ...containers, minItems: 1 },
    initContainers: containers,
    restartPolicy: { type: 'string', enum: ['OnFailure', 'Never'] },
    terminationGracePeriodSeconds: { default: 30 },
    dnsPolicy: { default: 'ClusterFirst' },
    securityContext: { default: {} },
    schedulerName: { default: 'default-scheduler' },
  },
  'containers',
  'restartPolicy',
)

const jobSpec = object(
  {
    ...anyOf('podFailurePolicy successPolicy backoffLimitPerIndex maxFailedIndexes managedBy selector'),
    parallelism: { ...count, default: 1 },
    completions: { ...count, default: 1 },
    completionMode: { type: 'string', enum: ['NonIndexed', 'Indexed'], default: 'NonIndexed' },
    backoffLimit: { ...count, default: 6 },
    activeDeadlineSeconds: count,
    ttlSecondsAfterFinished: count,
    ...anyOf('suspend manualSelector', { type: 'boolean', default: false }),
    podReplacementPolicy: { type: 'string', default: 'TerminatingOrFailed' },
    template: object({ metadata: metadataSchema, spec: podSpec }, 'spec'),
  },
  'template',
)

/** What a Job must not do without, and the names of its fields, so that a typing error is found. */
export const jobSchema = object({ apiVersion: text, kind: text, spec: jobSpec, status: open }, 'spec')

const names: Schema = { ...open, properties: anyOf('kind plural', text), required: ['kind', 'plural'] }
const schema: Schema = { ...open, properties: { openAPIV3Schema: open }, required: ['openAPIV3Schema'] }
const version: Schema = { ...open, properties: { name: text, schema }, required: ['name', 'schema'] }
const definitionSpec: Schema = {
  ...open,
  properties: { group: text, scope: text, names, versions: { type: 'array', items: version } },
  required: ['group', 'scope', 'names', 'versions'],
}

/** As much of a CustomResourceDefinition as it takes to serve it. */
export const definitionSchema: Schema = { ...open, properties: { spec: definitionSpec }, required: ['spec'] }

const microTime: Schema = { type: 'string', format: 'micro-time' }

const leaseSpec = object({
  ...anyOf('strategy preferredHolder holderIdentity', text),
  ...anyOf('acquireTime renewTime', microTime),
  leaseDurationSeconds: { type: 'integer', minimum: 1 },
  leaseTransitions: count,
})
export const leaseSchema = object({ apiVersion: text, kind: text, spec: leaseSpec })
