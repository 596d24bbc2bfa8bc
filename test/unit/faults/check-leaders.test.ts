import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLeaders } from '../../faults/checker/check-leaders.ts'
import type { AuditRecord } from '../../support/audit.ts'
import { at } from '../../support/times.ts'
import { created, user } from './hand-made.ts'

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
