/** The fixed names of the contract: group, labels, annotations, finalizer. */

export const group = 'myyrakle.com'
export const version = 'v1'
export const kind = 'SecondCronJob'
export const plural = 'secondcronjobs'
export const apiVersion = `${group}/${version}`

export const finalizer = `${group}/second-cron-job`
/** On every Job and Pod of ours; its value is the resource's name. */
export const ownerLabel = `${group}/second-cron-job`
/** The slot of the Job, RFC 3339, on Job and Pod template. */
export const slotAnnotation = `${group}/scheduled-at`
/** The same, under the name that the built-in CronJob uses (KEP-4026); on the Job only. */
export const cronJobTimestampAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** On every Job: `leaseTransitions` of the Lease by which its sender led, for a policy that refuses those of an older one. */
export const termAnnotation = `${group}/lease-transitions`

/** On a resource: one extra Job for each new value of it. */
export const runNowAnnotation = `${group}/run-now`
export const longestRunNowToken = 256
/** On a Job of such a run, as `kubectl create job --from` has it. */
export const instantiateAnnotation = 'cronjob.kubernetes.io/instantiate'

/** The longest name of a SecondCronJob: a Job's 63 characters less `-` and ten digits. */
export const longestName = 52

/** Of the Lease by which the operators of a cluster agree on who leads. */
export const leaseName = 'second-cron-job-operator'
