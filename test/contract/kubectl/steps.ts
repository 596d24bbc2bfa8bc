/** What somebody types, in this order, against an API server that has the shipped CRD and nothing else. */
export interface Step {
  readonly args: readonly string[]
  /** Why the embedded server is allowed to answer otherwise; then it has to. */
  readonly differs?: string
  /** `work` when absent. */
  readonly namespace?: string
  /** The editor of `kubectl edit`. */
  readonly editor?: string
}

/** Words are separated by spaces; a list of them when one has a space in it. */
function step(args: string | readonly string[], more: Omit<Step, 'args'> = {}): Step {
  return { args: typeof args === 'string' ? args.split(' ') : args, ...more }
}

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'Serving',
  message: 'slots are served',
  // kubectl waits for a condition of the newest generation.
  observedGeneration: 99,
  lastTransitionTime: '2026-01-01T12:00:00Z',
}
const status = { observedSchedule: 'every 10s', activeCount: 1, nextScheduleTime: '2026-01-01T12:00:10Z' }
const patchOfStatus = JSON.stringify({ status: { ...status, conditions: [ready] } })
const failingTest = JSON.stringify([{ op: 'test', path: '/spec/suspend', value: true }])
const suspend = JSON.stringify([{ op: 'replace', path: '/spec/suspend', value: true }])

const writing: readonly Step[] = [
  step('create -f namespace.yaml'),
  step('create -f namespace.yaml'),
  step('apply -f beat.yaml'),
  step('apply -f beat.yaml'),
  step('apply -f beat-changed.yaml'),
  step('diff -f beat.yaml'),
  step('apply -f unknown-field.yaml'),
  step('apply -f unknown-field.yaml --validate=warn'),
  step('apply -f refused.yaml'),
  step('create -f beat.yaml'),
  step('create -f job.yaml'),
  step('wait --for=condition=Suspended job/still --timeout=10s'),
  step('replace -f beat.yaml'),
  step('apply -f beat.yaml --dry-run=server'),
  step('apply -f beat.yaml --dry-run=client'),
  step('annotate scj beat note=one'),
  step('annotate scj beat note=two'),
  step('annotate scj beat note=two --overwrite'),
  step('label scj beat team=a'),
  step('label scj beat team-'),
  step('label scj beat team=b tier=c'),
  step(['patch', 'scj', 'beat', '--type=merge', '-p', '{"spec":{"image":"busybox:2"}}']),
  step(['patch', 'scj', 'beat', '--type=merge', '-p', '{"spec":{"image":"busybox:2"}}']),
  step(['patch', 'scj', 'beat', '--type=json', '-p', suspend]),
  step(['patch', 'scj', 'beat', '--type=merge', '-p', '{"spec":{"suspend":false}}']),
  step(['patch', 'scj', 'beat', '--type=json', '-p', failingTest]),
  step(['patch', 'scj', 'beat', '--type=merge', '-p', '{"spec":{"intervalSeconds":0}}']),
  step(['patch', 'scj', 'beat', '-p', '{"spec":{"suspend":true}}']),
  step(['patch', 'scj', 'beat', '--subresource=status', '--type=merge', '-p', patchOfStatus]),
  step('edit scj beat', { editor: 'sed -i s/busybox:2/busybox:3/' }),
  step('edit scj beat', { editor: 'true' }),
]

const reading: readonly Step[] = [
  step('get scj'),
  step('get scj beat'),
  step('get secondcronjobs.myyrakle.com'),
  step('get secondcronjob/beat -o name'),
  step('get scj -A'),
  step('get scj -o wide'),
  step('get scj beat -o yaml'),
  step('get scj beat -o json'),
  step('get scj -o json'),
  step('get scj -o jsonpath={.items[*].spec.image}'),
  step('get scj -o custom-columns=NAME:.metadata.name,IMAGE:.spec.image'),
  step('get scj --show-labels'),
  step('get scj -l team=b'),
  step('get scj -l team=nobody'),
  step('get scj --field-selector metadata.name=beat -o name'),
  step('get scj --sort-by=.metadata.name'),
  step('get scj nothing'),
  step('get scj nothing --ignore-not-found'),
  step('get things'),
  step('get all'),
  step('get job still'),
  step('get jobs,scj'),
  step('get --raw /apis/myyrakle.com/v1/namespaces/work/secondcronjobs/nothing'),
  step('describe scj beat'),
  step('explain scj.spec'),
  step('explain scj.spec.intervalSeconds'),
  step('explain scj.spec.nothing'),
  step('api-resources --api-group=myyrakle.com'),
  step('wait --for=condition=Ready scj/beat --timeout=5s'),
  step('wait --for=condition=Failing scj/beat --timeout=1s'),
  step('wait --for=jsonpath={.spec.intervalSeconds}=10 scj/beat --timeout=5s'),
  step('create -f event.yaml'),
  step('get events --field-selector involvedObject.name=beat'),
  step('events --for scj/beat'),
  step('describe scj beat'),
  step('get scj -w --request-timeout=2s'),
]

const applying: readonly Step[] = [
  step('apply -f namespace.yaml'),
  step('apply -f namespace.yaml'),
  step('apply -f list.yaml'),
  step('apply -f list.yaml'),
  step('apply -f odd-list.yaml', {
    differs: 'kubectl leaves the checks to the embedded server, whose OpenAPI v2 is empty',
  }),
  step('delete -f list.yaml'),
  step('apply -k deploy', { namespace: 'myyrakle' }),
  step('apply -k deploy', {
    namespace: 'myyrakle',
    differs: 'the Deployment is configured again on the real one, which has written defaults into it',
  }),
  step('get roles,deployments -o name', { namespace: 'myyrakle' }),
  step(['patch', 'job', 'still', '-p', '{"metadata":{"labels":{"team":"a"}}}']),
  step('get cm', { differs: 'the embedded server has no ConfigMaps, and says so' }),
]

const deleting: readonly Step[] = [
  step('delete scj nothing'),
  step('delete scj nothing --ignore-not-found'),
  step('delete scj beat --dry-run=server'),
  step('delete scj beat'),
  step('get scj'),
  step('apply -f beat.yaml'),
  step('delete scj beat --cascade=foreground'),
  step('apply -f beat.yaml'),
  step('delete scj beat --cascade=orphan'),
  step('apply -f beat.yaml'),
  step('delete -f beat.yaml --wait=false'),
  step('wait --for=delete scj/beat --timeout=10s'),
  step('delete job still'),
  step('delete scj --all'),
  step('delete namespace work'),
  step('get namespace work'),
]

const protobuf = 'kubectl sends this one in protobuf, which the embedded server does not read'
const common = 'the embedded server does not describe what every object has'

const noEvents = 'the Job controller of the embedded server writes no Events'

const lacking: readonly Step[] = [
  step('get job still -o wide', { differs: 'the embedded server has wide columns for custom resources only' }),
  step('describe job still', { differs: noEvents }),
  step('get events', { differs: noEvents }),
  step('events', { differs: noEvents }),
  step('create namespace other', { differs: protobuf }),
  step('create job once --image=busybox --dry-run=server -o name', { differs: protobuf }),
  step('get nodes', { differs: 'there are no nodes in the embedded server' }),
  step('explain scj', { differs: common }),
  step('explain scj --recursive', { differs: common }),
  step('explain job.spec', { differs: 'the embedded server publishes the schemas of CRDs only' }),
  step('apply --server-side -f beat.yaml', { differs: 'the embedded server has no server-side apply' }),
  step('auth can-i create jobs', { differs: 'nobody is refused anything by the embedded server' }),
]

export const steps: readonly Step[] = [...writing, ...reading, ...lacking, ...applying, ...deleting]
