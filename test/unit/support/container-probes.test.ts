import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ContainerProbes } from '../../support/container-probes.ts'
import type { Probe } from '../../support/pod-spec.ts'

const probe = (path: string, periodSeconds: number, failureThreshold: number): Probe => ({
  httpGet: { path, port: 'http' },
  periodSeconds,
  failureThreshold,
})
const spec = {
  startupProbe: probe('/started', 1, 3),
  livenessProbe: probe('/alive', 5, 2),
  readinessProbe: probe('/ready', 5, 2),
}

/** Goes through the seconds one by one; `well` says which paths answer 200. */
class Story {
  readonly asked: string[] = []
  well: readonly string[] = []
  readonly probes: ContainerProbes
  #second = 0

  constructor(of: Partial<typeof spec> = spec) {
    this.probes = new ContainerProbes(of, async ({ httpGet }) => {
      this.asked.push(`${this.#second} ${httpGet?.path}`)
      return this.well.includes(httpGet?.path ?? '')
    })
  }

  /** The second in which it is to be started again; null when there is none. */
  async seconds(count: number): Promise<number | null> {
    for (let passed = 0; passed < count; passed += 1) {
      const isFailed = await this.probes.step(this.#second * 1_000)
      if (isFailed) return this.#second
      this.#second += 1
    }
    return null
  }
}

test('nothing but startup is asked until it succeeds; then the others at once, each in its period', async () => {
  const story = new Story()
  await story.seconds(2)
  assert.deepEqual([story.asked, story.probes.isStarted], [['0 /started', '1 /started'], false])
  story.well = ['/started', '/alive', '/ready']
  await story.seconds(7)
  assert.deepEqual(story.asked.slice(2), ['2 /started', '2 /alive', '2 /ready', '7 /alive', '7 /ready'])
  assert.deepEqual([story.probes.isStarted, story.probes.isReady], [true, true])
})

test('startup never succeeds: it is started again after the third failure', async () => {
  assert.equal(await new Story().seconds(10), 2)
})

test('liveness fails twice in a row: it is started again; once does nothing', async () => {
  const story = new Story()
  story.well = ['/started', '/ready']
  assert.equal(await story.seconds(4), null)
  story.well = ['/started', '/ready', '/alive']
  assert.equal(await story.seconds(6), null)
  story.well = ['/started', '/ready']
  assert.equal(await story.seconds(20), 15)
})

test('readiness fails: not ready after the second failure, never started again, ready with the next success', async () => {
  const story = new Story()
  story.well = ['/started', '/alive', '/ready']
  await story.seconds(1)
  story.well = ['/started', '/alive']
  assert.equal(await story.seconds(5), null)
  assert.equal(story.probes.isReady, true)
  assert.equal(await story.seconds(60), null)
  assert.equal(story.probes.isReady, false)
  story.well = ['/started', '/alive', '/ready']
  await story.seconds(5)
  assert.equal(story.probes.isReady, true)
})

test('without probes it is started and ready', async () => {
  const story = new Story({})
  assert.equal(await story.seconds(1), null)
  assert.deepEqual([story.probes.isStarted, story.probes.isReady], [true, true])
})
