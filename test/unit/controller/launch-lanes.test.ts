import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLauncher } from '../../support/a-launcher.ts'
import { anApiError } from '../../support/builders.ts'
import { settle } from '../../support/manual-clock.ts'
import { at } from '../../support/times.ts'

const down = anApiError({ kind: 'Unanswered', message: 'connect ECONNREFUSED' })

test('never more requests at once than connections; the oldest wait first', async () => {
  const { jobs, launcher } = aLauncher({ connections: 6 })
  const gate = Promise.withResolvers<void>()
  jobs.onCreate = () => gate.promise
  for (const uid of ['a', 'b', 'c', 'd', 'e']) launcher.launch(uid, at('12:00:00'))
  await settle()
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:00.000 create b-0'])
  assert.equal(launcher.backlog, 3)
  gate.resolve()
  await settle()
  assert.deepEqual(jobs.calls(), ['00:00.000 create c-0', '00:00.000 create d-0', '00:00.000 create e-0'])
})

test('a webhook hangs for some: after the first second they share four connections, and the others keep theirs', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher({ connections: 14 })
  const hang = Promise.withResolvers<void>()
  jobs.onCreate = ({ metadata }) => (metadata.name.startsWith('bad') ? hang.promise : undefined)
  const bad = ['bad1', 'bad2', 'bad3', 'bad4', 'bad5', 'bad6']
  for (let second = 0; second < 8; second += 1) {
    await clock.advanceTo(at(`12:00:0${second}`))
    for (const uid of bad) launcher.launch(uid, at(`12:00:0${second}`))
    launcher.launch('good', at(`12:00:0${second}`))
    await settle()
  }
  const good = outcomes().filter((line) => line.startsWith('good'))
  assert.deepEqual(
    good,
    [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => `good-${slot} launched`),
  )
  assert.ok(launcher.inFlight <= 6 + 4, `${launcher.inFlight} in flight`)
  hang.resolve()
})

test('a slow answer loses no slot: the next one goes beside it', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = () => clock.sleep(1_400)
  for (const second of [0, 1, 2, 3]) {
    await clock.advanceTo(at(`12:00:0${second}`))
    launcher.launch('a', at(`12:00:0${second}`))
  }
  await clock.advance(10_000)
  assert.deepEqual(outcomes(), ['a-0 launched', 'a-1 launched', 'a-2 launched', 'a-3 launched'])
})

test('however long a webhook hangs, one resource has three creates on their way at most', async () => {
  const { clock, jobs, launcher } = aLauncher()
  jobs.onCreate = () => new Promise(() => {})
  for (let second = 0; second < 8; second += 1) {
    await clock.advanceTo(at(`12:00:0${second}`))
    launcher.launch('a', at(`12:00:0${second}`))
  }
  assert.equal(launcher.inFlight, 3)
})

test('a slow answer turns out to be a failure when the next slot has run already: the older slot is not run after it', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher()
  jobs.onCreate = ({ metadata }) =>
    metadata.name === 'a-0' ? clock.sleep(1_500).then(() => Promise.reject(down)) : undefined
  launcher.launch('a', at('12:00:00'))
  await clock.advance(1_000)
  launcher.launch('a', at('12:00:01'))
  await clock.advance(60_000)
  assert.deepEqual(outcomes(), ['a-1 launched', 'a-0 missed Unavailable'])
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0', '00:01.000 create a-1'])
})

test('stop: what waits is dropped, what is on its way gets a moment and is then aborted', async () => {
  const { clock, jobs, launcher } = aLauncher({ connections: 5 })
  const aborted: string[] = []
  jobs.onCreate = (manifest, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        aborted.push(manifest.metadata.name)
        reject(down)
      })
    })
  launcher.launch('a', at('12:00:00'))
  launcher.launch('b', at('12:00:00'))
  const stopped = launcher.stop(1_000)
  await clock.advance(999)
  assert.deepEqual(aborted, [])
  await clock.advance(1)
  await stopped
  assert.deepEqual(aborted, ['a-0'])
  assert.deepEqual(jobs.calls(), ['00:00.000 create a-0'])
})

test('a crowded lane: a run of each second goes before those whose next one is far, so that its next one does not overtake it', async () => {
  const everySecond = ['s1', 's2', 's3']
  const { clock, jobs, launcher, outcomes } = aLauncher({
    connections: 8,
    nextSlot: (uid, slot) => slot + (everySecond.includes(uid) ? 1_000 : 60_000),
  })
  jobs.onCreate = () => clock.sleep(400)
  for (const uid of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', ...everySecond])
    launcher.launch(uid, at('12:00:00'))
  await clock.advance(999)
  const soon = outcomes()
  assert.deepEqual(
    soon.filter((line) => line.startsWith('s')),
    everySecond.map((uid) => `${uid}-0 launched`),
  )
})

test('a lane that never empties: a run of each day waits two seconds behind those of each second, no longer', async () => {
  const { clock, jobs, launcher, outcomes } = aLauncher({
    connections: 5,
    nextSlot: (uid, slot) => slot + (uid === 'daily' ? 86_400_000 : 1_000),
  })
  jobs.onCreate = () => clock.sleep(450)
  const launched: string[] = []
  for (let second = 0; second < 4; second += 1) {
    for (const uid of ['a', 'b', 'c', 'd', 'e']) launcher.launch(uid, at(`12:00:0${second}`))
    if (second === 0) launcher.launch('daily', at('12:00:00'))
    await clock.advanceTo(at(`12:00:0${second + 1}`))
    launched.push(
      ...outcomes()
        .filter((line) => line === 'daily-0 launched')
        .map((line) => `${line} in second ${second}`),
    )
  }
  assert.deepEqual(launched, ['daily-0 launched in second 2'])
})
