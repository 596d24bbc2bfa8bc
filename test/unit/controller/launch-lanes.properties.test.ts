import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overflowConnections } from '../../../src/controller/lanes.ts'
import { aLauncher } from '../../support/a-launcher.ts'
import { anApiError } from '../../support/builders.ts'
import { at } from '../../support/times.ts'

const answers = {
  taken: undefined,
  denied: anApiError({ kind: 'Forbidden', code: 403, message: 'admission webhook "a" denied the request' }),
  busy: anApiError({ kind: 'Throttled', code: 429 }),
  lost: anApiError({ kind: 'Unanswered' }),
}

const behaviour = fc.record({
  afterMs: fc.constantFrom(0, 5, 300, 700, 1_400, 4_000, 60_000),
  answer: fc.constantFrom('taken', 'denied', 'busy', 'lost'),
})

const story = fc.record({
  connections: fc.constantFrom(5, 8, 32),
  /** What becomes of the creates, in their order; then all are taken at once. */
  behaviours: fc.array(behaviour, { maxLength: 200 }),
  /** Who is due in each second. */
  seconds: fc.array(fc.uniqueArray(fc.nat(40), { maxLength: 40 }), { minLength: 1, maxLength: 12 }),
})

const byText = (a: string, b: string) => a.localeCompare(b)

test('whatever the answers: each slot is settled once, no more requests than connections, three of a resource', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ connections, behaviours, seconds }) => {
      const { clock, jobs, launcher, outcomes } = aLauncher({
        connections,
        namespaceOf: (uid) => `n${Number(uid) % 5}`,
      })
      const underway: string[] = []
      let [sent, most, mostOfOne] = [0, 0, 0]
      jobs.onCreate = async ({ metadata }, { timeoutMs }) => {
        const { afterMs, answer } = behaviours[sent] ?? ({ afterMs: 0, answer: 'taken' } as const)
        sent += 1
        const [uid = ''] = metadata.name.split('-')
        underway.push(uid)
        most = Math.max(most, underway.length)
        mostOfOne = Math.max(mostOfOne, underway.filter((other) => other === uid).length)
        await clock.sleep(Math.min(afterMs, timeoutMs))
        underway.splice(underway.indexOf(uid), 1)
        const error = afterMs > timeoutMs ? answers.lost : answers[answer]
        if (error !== undefined) throw error
      }
      for (const [second, due] of seconds.entries()) {
        await clock.advanceTo(at('12:00:00') + second * 1_000)
        for (const uid of due) launcher.launch(String(uid), at('12:00:00') + second * 1_000)
      }
      await clock.advance(600_000)
      assert.ok(most <= connections + overflowConnections(connections), `${most} at once`)
      assert.ok(mostOfOne <= 3, `${mostOfOne} of one resource at once`)
      const settled = outcomes()
        .filter((line) => !line.includes('retrying'))
        .map((line) => line.split(' ')[0] ?? '')
      const dispatched = seconds.flatMap((due, second) => due.map((uid) => `${uid}-${second}`))
      assert.deepEqual(settled.sort(byText), dispatched.sort(byText))
      assert.deepEqual([launcher.inFlight, launcher.backlog], [0, 0])
    }),
    { numRuns: 60 },
  )
})
