import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFence, checkLeaders } from '../../faults/checker/check-leaders.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'
import { created, deleted, user, written } from './hand-made.ts'

function by(name: string, record: AuditRecord): AuditRecord {
  return { ...record, userAgent: `operator/1 (${name})` }
}

function lease(name: string, time: string, code = 200): AuditRecord {
  const what = {
    verb: 'update',
    group: 'coordination.k8s.io',
    resource: 'leases',
    namespace: 'myyrakle',
    name: 'lease',
  }
  return by(name, { ...created('12:00:00'), ...what, code, received: at(time), completed: at(time) })
}

const cases: Readonly<Record<string, readonly [records: readonly AuditRecord[], want: readonly RegExp[]]>> = {
  'one after the other': [
    [
      lease('a', '12:00:00'),
      by('a', created('12:00:10')),
      lease('a', '12:00:12'),
      lease('b', '12:00:18'),
      by('b', created('12:00:20')),
    ],
    [],
  ],
  'the one before launches on': [
    [lease('a', '12:00:00'), lease('b', '12:00:08'), by('b', created('12:00:20')), by('a', created('12:00:10'))],
    [/by a at 12:00:10.000, when b led/],
  ],
  'what was on its way': [[lease('a', '12:00:00'), lease('b', '12:00:09.600'), by('a', created('12:00:10'))], []],
  'a write that was refused takes nothing': [
    [lease('a', '12:00:00'), lease('b', '12:00:08', 409), by('a', created('12:00:10'))],
    [],
  ],
  'it leads again': [
    [lease('a', '12:00:00'), lease('b', '12:00:05'), lease('a', '12:00:09'), by('a', created('12:00:10'))],
    [],
  ],
}

for (const [name, [records, want]] of Object.entries(cases))
  test(`checker, leaders: ${name}`, () => {
    const found = checkLeaders(records, user)
    assert.equal(found.length, want.length)
    for (const [index, words] of want.entries()) assert.match(found[index]?.detail ?? '', words)
  })

const fenceCases: Readonly<Record<string, readonly [records: readonly AuditRecord[], want: readonly RegExp[]]>> = {
  'what is sent up to the renew deadline, and takes a moment to arrive': [
    [lease('a', '12:00:05'), by('a', created('12:00:09', '12:00:09.900'))],
    [],
  ],
  'a launch of one that has not renewed for too long, though nobody else leads': [
    [lease('a', '12:00:05'), by('a', created('12:00:10', '12:00:10.200'))],
    [/create jobs by a at 12:00:10.200, 5200 ms after its last renewal/],
  ],
  'whatever it writes, and whatever becomes of it': [
    [
      lease('a', '12:00:05'),
      by('a', { ...written({ time: '12:00:11', status: {} }), user, code: 409 }),
      by('a', deleted('12:00:00', '12:00:12')),
      by('a', { ...created('12:00:10', '12:00:13'), dryRun: true }),
    ],
    [/patch secondcronjobs\/status .* 6000 ms/, /delete jobs .* 7000 ms/, /create jobs .* 8000 ms/],
  ],
  'a renewal that was refused is none, nor is that of another one': [
    [lease('a', '12:00:01'), lease('a', '12:00:07', 409), lease('b', '12:00:08'), by('a', created('12:00:10'))],
    [/by a .* 9000 ms after/],
  ],
  'what it reads, and what others write': [
    [
      lease('a', '12:00:01'),
      by('a', { ...created('12:00:10'), verb: 'list' }),
      by('a', { ...created('12:00:10'), user: 'admin' }),
    ],
    [],
  ],
  'one that has never had a Lease, nor has anybody else': [
    [by('a', created('12:00:00')), by('a', created('12:00:04')), by('a', created('12:00:06'))],
    [/by a at 12:00:06.000, 5998 ms after its last renewal/],
  ],
  'one whose term began before the log, in which a watch ends that began long before': [
    [{ ...created('12:00:00'), verb: 'watch', user: 'other', completed: at('12:00:30') }, by('a', created('12:00:20'))],
    [],
  ],
  'one whose term began before the log': [[by('a', created('12:00:00')), lease('a', '12:00:01')], []],
}

for (const [name, [records, want]] of Object.entries(fenceCases))
  test(`checker, fence: ${name}`, () => {
    const found = checkFence(records, user)
    assert.deepEqual(
      found.map(({ kind }) => kind),
      want.map(() => 'unfenced'),
    )
    for (const [index, words] of want.entries()) assert.match(found[index]?.detail ?? '', words)
  })

test('checker, fence: an API server that stood still reads what was sent before that', () => {
  const records = [lease('a', '12:00:01'), by('a', created('12:00:02', '12:00:16.300'))]
  assert.deepEqual(checkFence(records, user, [at('12:00:16')]), [])
  assert.equal(checkFence(records, user, [at('12:00:10')]).length, 1)
})
