import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { systemClock } from '../../src/clock.ts'
import { KubeEventRecorder } from '../../src/kube/event-recorder.ts'
import { aTransport } from '../support/a-transport.ts'
import { aSecondCronJob } from '../support/builders.ts'
import { settle } from '../support/manual-clock.ts'
import { type Answer, failure, json, ScriptedApiServer } from '../support/scripted-api-server.ts'
import { at } from '../support/times.ts'

test('an Event is told once in ten minutes, and at most 25 of an object at once', async () => {
  const server = await ScriptedApiServer.start()
  const transport = await aTransport(server, { clock: systemClock })
  const object = aSecondCronJob()
  const recorder = new KubeEventRecorder({ transport, log: pino({ level: 'silent' }), instance: 'pod-1' })
  server.expect(...Array.from({ length: 25 }, () => json(201, {})))
  const event = { type: 'Warning', reason: 'FailedCreate', action: 'Schedule', note: 'no' } as const
  recorder.record(object, event, at('12:00:00'))
  recorder.record(object, event, at('12:00:01'))
  for (let n = 0; n < 40; n += 1) recorder.record(object, { ...event, note: `no ${n}` }, at('12:00:02'))
  await server.after(25)
  await recorder.stop()
  assert.deepEqual(server.received[0]?.body, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { generateName: 'beat-', namespace: 'default' },
    eventTime: '2026-01-01T12:00:00.000000Z',
    type: 'Warning',
    reason: 'FailedCreate',
    action: 'Schedule',
    note: 'no',
    regarding: {
      apiVersion: 'myyrakle.com/v1',
      kind: 'SecondCronJob',
      namespace: 'default',
      name: 'beat',
      uid: object.uid,
    },
    reportingController: 'myyrakle.com/second-cron-job-operator',
    reportingInstance: 'pod-1',
  })
  await transport.close()
  await server.end()
})

test('what differs by its count only is told once in ten minutes, and leaves the others their room', async () => {
  const server = await ScriptedApiServer.start()
  const transport = await aTransport(server, { clock: systemClock })
  const recorder = new KubeEventRecorder({ transport, log: pino({ level: 'silent' }), instance: 'pod-1' })
  server.expect(...Array.from({ length: 2 }, () => json(201, {})))
  const missed = { type: 'Warning', reason: 'MissSchedule', action: 'Schedule' } as const
  for (let n = 1; n <= 60; n += 1)
    recorder.record(aSecondCronJob(), { ...missed, note: `1 slot was missed; ${n} since the creation` }, at('12:00:00'))
  recorder.record(aSecondCronJob(), { ...missed, reason: 'Suspended', note: 'No Job is launched' }, at('12:01:00'))
  await server.after(2)
  await recorder.stop()
  const reasons = server.received.map(({ body }) => (body as { reason: string }).reason)
  assert.deepEqual(reasons, ['MissSchedule', 'Suspended'])
  await transport.close()
  await server.end()
})

test('never more than four Events on their way, a thousand waiting; one that is refused disturbs nobody', async (context) => {
  const server = await ScriptedApiServer.start()
  const transport = await aTransport(server, { clock: systemClock })
  context.after(async () => {
    await transport.close()
    await server.end()
  })
  const recorder = new KubeEventRecorder({ transport, log: pino({ level: 'silent' }), instance: 'pod-1' })
  const event = { type: 'Normal', reason: 'Resumed', action: 'Resume', note: 'again' } as const
  const [most, surplus] = [1_004, 50]
  const refusal = failure(403, 'Forbidden')
  const held: (() => void)[] = []
  const hold: Answer = (request, response) => void held.push(() => refusal(request, response))
  server.expect(hold, hold, hold, hold, ...Array.from({ length: most - 4 }, () => refusal))
  for (let n = 0; n < most + surplus; n += 1)
    recorder.record(aSecondCronJob({ uid: `uid-${n}` }), event, at('12:00:00'))
  await server.after(4)
  await settle()
  assert.equal(server.received.length, 4)
  for (const answer of held) answer()
  await server.after(most)
  await recorder.stop()
  assert.equal(server.received.length, most)
})
