import type { Schema } from './schema.ts'

const anything: Schema = {}
const text: Schema = { type: 'string' }
const texts: Schema = { type: 'object', additionalProperties: text }
const count: Schema = { type: 'integer', minimum: 0 }

function anyOf(names: string): Record<string, Schema> {
  return Object.fromEntries(names.split(' ').map((name) => [name, anything]))
}

/** Of every object; what the API server alone writes is not looked at. */
export const metadataSchema: Schema = {
  type: 'object',
  properties: {
    ...anyOf('uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds selfLink'),
    ...anyOf('ownerReferences managedFields'),
    name: text,
    generateName: text,
    namespace: text,
    labels: texts,
    annotations: texts,
    finalizers: { type: 'array', items: text },
  },
}

const container: Schema = {
  type: 'object',
  required: ['name', 'image'],
  properties: {
    ...anyOf('command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules'),
    ...anyOf('volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle'),
    ...anyOf('securityContext stdin stdinOnce tty'),
    name: text,
    image: text,
    terminationMessagePath: { default: '/dev/termination-log' },
    terminationMessagePolicy: { default: 'File' },
    imagePullPolicy: { default: 'Always' },
  },
}
const containers: Schema = { type: 'array', items: container }

const podSpec: Schema = {
  type: 'object',
  required: ['containers', 'restartPolicy'],
  properties: {
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
}

/** What a Job must not do without, and all the names of fields, so that a typing error is found. */
export const jobSchema: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: text,
    kind: text,
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    spec: {
      type: 'object',
      required: ['template'],
      properties: {
        ...anyOf('podFailurePolicy successPolicy backoffLimitPerIndex maxFailedIndexes selector managedBy'),
        parallelism: { ...count, default: 1 },
        completions: { ...count, default: 1 },
        completionMode: { type: 'string', enum: ['NonIndexed', 'Indexed'], default: 'NonIndexed' },
        backoffLimit: { ...count, default: 6 },
        activeDeadlineSeconds: count,
        ttlSecondsAfterFinished: count,
        suspend: { type: 'boolean', default: false },
        manualSelector: { type: 'boolean' },
        podReplacementPolicy: { type: 'string', default: 'TerminatingOrFailed' },
        template: { type: 'object', properties: { metadata: metadataSchema, spec: podSpec }, required: ['spec'] },
      },
    },
  },
}

const microTime: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)$',
}

export const leaseSchema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    spec: {
      type: 'object',
      properties: {
        ...anyOf('strategy preferredHolder'),
        holderIdentity: text,
        leaseDurationSeconds: { type: 'integer', minimum: 1 },
        leaseTransitions: count,
        acquireTime: microTime,
        renewTime: microTime,
      },
    },
  },
}
