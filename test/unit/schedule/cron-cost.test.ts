import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { decide } from '../../../src/schedule/decide.ts'
import { latestSlot, nextSlot } from '../../../src/schedule/slots.ts'
import type { CronGrid } from '../../../src/schedule/state.ts'
import { aScheduleState } from '../../support/schedule-state.ts'
import { at } from '../../support/times.ts'

/** What a cron schedule costs. */

const cron = (text: string, timeZone = 'UTC', anchor = at('12:00:00')): CronGrid => {
  return { kind: 'cron', anchor, text, timeZone }
}

test('a day missed at every second, in a zone never seen before: one decision, all counted, far below 50 ms', () => {
  const costs = ['Asia/Tehran', 'Asia/Karachi', 'America/New_York'].map((timeZone) => {
    const state = aScheduleState(cron('* * * * * *', timeZone), { first: false, handledUntil: at('12:00:01') })
    const before = process.cpuUsage()
    const action = decide(at('12:00:01') + 86_400_000, state)
    const { user, system } = process.cpuUsage(before)
    assert.deepEqual(action, { kind: 'launch', slot: at('12:00:01') + 86_400_000, missed: 86_399 })
    return (user + system) / 1_000
  })
  // Processor time, and the best of three, since others may keep the machine busy.
  assert.ok(Math.min(...costs) < 50, `${costs.join(', ')} ms`)
})

test('a day missed at every second asks the calendar as often as one second does', (t) => {
  const missed = (text: string, ms: number) => {
    const state = aScheduleState(cron(text, 'Asia/Tokyo'), { first: false, handledUntil: at('12:00:01') })
    return asked(t, () => decide(at('12:00:01') + ms, state))
  }
  // Each of a text of its own, so that none finds what another has left.
  assert.equal(missed('0-59 * * * * *', 86_400_000), missed('* 0-59 * * * *', 2_000))
})

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('the calculator is never started: it sets no timer', () => {
  const before = timers()
  assert.notEqual(nextSlot(cron('* * * * * *'), at('12:00:00')), null)
  assert.equal(timers(), before)
})

/** How often the calendar had to be asked meanwhile: what a tick costs, whatever the machine. */
function asked(t: TestContext, what: () => unknown): number {
  const spy = t.mock.method(Intl.DateTimeFormat.prototype, 'formatToParts')
  what()
  const calls = spy.mock.callCount()
  spy.mock.restore()
  return calls
}

test('between two slots the calendar is not asked again, and one question is enough from slot to slot', (t) => {
  const grid = cron('*/20 * * * * *', 'Asia/Dubai')
  const full = asked(t, () => latestSlot(grid, at('12:00:20')))
  for (const time of ['12:00:20', '12:00:20.001', '12:00:39.999'])
    assert.equal(
      asked(t, () => [latestSlot(grid, at(time)), nextSlot(grid, at(time))]),
      0,
      time,
    )
  const step = asked(t, () => latestSlot(grid, at('12:00:40')))
  assert.ok(step > 0 && step < full * 0.7, `${step} of ${full}`)
  assert.equal(latestSlot(grid, at('12:00:40')), at('12:00:40'))
  assert.equal(
    asked(t, () => nextSlot(grid, at('12:00:59.999'))),
    0,
  )
  assert.ok(asked(t, () => latestSlot(grid, at('12:05:00'))) > full, 'a gap takes all of them')
  assert.ok(asked(t, () => latestSlot(grid, at('12:00:40'))) > 0, 'so does the way back')
})

test('where nothing is before, or nothing will come, that is remembered too', (t) => {
  const grid = cron('0 40 2 * * *', 'Europe/Berlin', 0)
  for (const time of ['3001-01-01', '0001-01-01'].map(Date.parse)) {
    assert.ok(asked(t, () => latestSlot(grid, time)) > 0)
    assert.equal(
      asked(t, () => latestSlot(grid, time + 1)),
      0,
    )
  }
})

test('more schedules than are held at once: each still has its own slots', () => {
  const grids = Array.from({ length: 300 }, (_, n) => cron(`${n % 60} ${Math.floor(n / 60)} * * * *`))
  for (let round = 0; round < 2; round += 1)
    for (const [n, grid] of grids.entries()) assert.equal(nextSlot(grid, at('12:30:00')), at('13:00:00') + n * 1_000)
})
