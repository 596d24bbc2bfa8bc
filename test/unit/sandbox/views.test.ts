import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Look } from '../../../sandbox/follow.ts'
import { Sample } from '../../../sandbox/samples.ts'
import { liveTable, plainLines } from '../../../sandbox/views.ts'
import type { KubeObject } from '../../support/admin.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'

interface Given {
  readonly namespace?: string
  readonly spec?: object
  readonly status?: object
}

function beat({ namespace = 'default', spec = {}, status = {} }: Given = {}): KubeObject {
  const metadata = { name: 'beat', namespace, uid: 'u1', generation: 1, creationTimestamp: '2026-01-01T12:00:00Z' }
  return { metadata, spec: { intervalSeconds: 5, ...spec }, status }
}

function created(name: string, received: number, namespace = 'default'): AuditRecord {
  const what = { verb: 'create', group: 'batch', resource: 'jobs', subresource: '', namespace, name }
  return { ...what, user: 'operator', userAgent: '', code: 201, dryRun: false, received, completed: received + 2 }
}

function look(resource: KubeObject, records: readonly AuditRecord[] = []): Look {
  return { resources: [resource], samples: [new Sample(resource)], records }
}

/** The lines of the table, and of each its cells. */
function tableOf(resource: KubeObject, records: readonly AuditRecord[] = []): readonly (readonly string[])[] {
  let written = ''
  const terminal = { columns: 200, write: (text: string) => (written += text) !== '' }
  liveTable(terminal as unknown as NodeJS.WriteStream)(look(resource, records))
  const lines = written.slice(written.indexOf('RESOURCE')).trimEnd().split('\n')
  return lines.map((line) => line.split(/ {3,}/))
}

/** What is printed for one look after the other. */
function linesOf(...looks: readonly Look[]): readonly string[] {
  const lines: string[] = []
  const view = plainLines((line) => lines.push(line))
  for (const each of looks) view(each)
  return lines.map((line) => line.replaceAll(/ {2,}/g, '  '))
}

const condition = (type: string, status: string, reason: string, message = '') => ({ type, status, reason, message })
const serving = { observedSchedule: 'every 5s', conditions: [condition('Ready', 'True', 'Serving')] }
const suspended = { observedSchedule: 'suspended', conditions: [condition('Ready', 'True', 'Suspended')] }
const refused = condition('Accepted', 'False', 'InvalidSchedule', 'spec.schedule: "7": has 1 field')

test('the table says that its times are UTC', () => {
  const [head] = tableOf(beat({ status: serving }))
  assert.deepEqual(head, ['RESOURCE', 'SCHEDULE', 'LAST (UTC)', 'NEXT (UTC)', 'ACTIVE', 'LATENESS', 'STATE'])
})

const shown: Record<string, readonly [given: Given, schedule: string, state: string]> = {
  'that is served': [{ status: serving }, 'every 5s', 'Serving'],
  'that is suspended keeps its schedule': [{ status: suspended }, 'every 5s', 'Suspended'],
  'that is suspended, whose last Job has failed': [
    { status: { ...suspended, lastFailedTime: '2026-01-01T12:00:01Z' } },
    'every 5s',
    'Suspended',
  ],
  'of the oldest spelling': [
    { spec: { intervalSeconds: undefined, interval_seconds: 10 }, status: suspended },
    'every 10s',
    'Suspended',
  ],
  'with a cron text that is not accepted keeps it': [
    { spec: { schedule: '7' }, status: { observedSchedule: 'invalid', conditions: [refused] } },
    '7 (UTC)',
    'not accepted: spec.schedule: "7": has 1 field',
  ],
}
for (const [what, [given, schedule, state]] of Object.entries(shown))
  test(`the table, of a resource ${what}`, () => {
    const [, row = []] = tableOf(beat(given))
    assert.deepEqual([row[1], row.at(-1)], [schedule, state])
  })

const misspelt = 'The API server takes the Job; unknown field "spec.backofLimit"'
const withWarning = {
  ...serving,
  conditions: [condition('Accepted', 'True', 'Accepted', misspelt), ...serving.conditions],
}

test('the table: what is misspelt in a template that is accepted stands beside the state', () => {
  const [, row = []] = tableOf(beat({ status: withWarning }))
  assert.equal(row.at(-1), 'Serving; unknown field "spec.backofLimit"')
})

test('plain lines: what is misspelt in a template that is accepted is told once, whatever the state becomes', () => {
  const fails = { ...withWarning, lastFailedTime: '2026-01-01T12:00:06Z' }
  const looks = [withWarning, fails, withWarning].map((status) => look(beat({ status })))
  assert.deepEqual(linesOf(...looks).slice(1), [
    '  beat  Serving',
    '  beat  unknown field "spec.backofLimit"',
    '  beat  its Jobs fail',
    '  beat  Serving',
  ])
})

const launch = created(`beat-${at('12:00:05') / 1_000}`, at('12:00:05.003'))

test('plain lines: a launch with its slot, which is UTC, and how late it was', () => {
  assert.deepEqual(linesOf(look(beat(), [launch])).slice(1), [`12:00:05  ${launch.name}  3.0 ms late`])
})

const first = created(`beat-${at('12:00:00') / 1_000}`, at('12:00:01.193'))

test('plain lines: the run at creation, which waits until the resource is accepted, has no lateness; the first line says so', () => {
  assert.deepEqual(linesOf(look(beat(), [first, launch])), [
    'times are UTC; the run at creation waits until its resource is accepted, and has no lateness',
    `12:00:00  ${first.name}  at creation`,
    `12:00:05  ${launch.name}  3.0 ms late`,
  ])
})

test('the table: the run at creation has no lateness, the next one has', () => {
  const [before, after] = [[first], [first, launch]].map((records) => tableOf(beat({ status: serving }), records)[1])
  assert.deepEqual(before?.slice(2, -1), ['12:00:00', '0', 'at creation'])
  assert.deepEqual(after?.slice(2, -1), ['12:00:05', '0', '3.0 ms'])
})

test('plain lines: in another namespace than default its name is told', () => {
  const lines = linesOf(look(beat({ namespace: 'work' }), [{ ...launch, namespace: 'work' }]))
  assert.deepEqual(lines.slice(1), [`12:00:05  work/${launch.name}  3.0 ms late`])
})

test('plain lines: a Job that run-now has asked for, at the time at which it was created', () => {
  const manual = created('beat-m012345678', at('12:00:07.900'))
  assert.deepEqual(linesOf(look(beat(), [manual])).slice(1), ['12:00:07  beat-m012345678  run-now'])
})

const skipped = (slot: string) => ({ slot, outcome: 'Skipped', reason: 'JobAlreadyActive' })

test('plain lines: each slot that was not launched once, oldest first, with the reason', () => {
  const recent = [skipped('2026-01-01T12:00:10Z'), skipped('2026-01-01T12:00:05Z')]
  const later = [{ slot: '2026-01-01T12:00:15Z', outcome: 'Missed', reason: 'MissedDeadline' }, ...recent]
  const looks = [recent, recent, later].map((some) => look(beat({ status: { recent: some } })))
  assert.deepEqual(linesOf(...looks).slice(1), [
    '12:00:05  beat  skipped: JobAlreadyActive',
    '12:00:10  beat  skipped: JobAlreadyActive',
    '12:00:15  beat  missed: MissedDeadline',
  ])
})
