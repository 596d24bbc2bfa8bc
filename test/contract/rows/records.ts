import assert from 'node:assert/strict'
import type { KubeObject } from '../../support/admin.ts'
import { aLease } from '../kinds.ts'
import { group, only } from '../row.ts'
import type { World } from '../world.ts'

const unchecked = 'the embedded server takes Events as they come'
const microTime = '2026-01-01T12:00:00.000001Z'

function anEvent(world: World, name: string, change: Record<string, unknown> = {}): KubeObject {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace: world.namespace },
    eventTime: microTime,
    type: 'Normal',
    reason: 'Tested',
    action: 'Testing',
    note: 'it was tested',
    regarding: { kind: 'SecondCronJob', namespace: world.namespace, name, apiVersion: 'myyrakle.com/v1', uid: 'u' },
    reportingController: 'example.com/contract',
    reportingInstance: 'contract-1',
    ...change,
  }
}

function postEvent(world: World, change: Record<string, unknown>): Promise<string> {
  return world.verdict(world.path('events'), { method: 'POST', body: anEvent(world, 'a', change) })
}

export const records = group('leases and events', {
  'a Lease keeps its times with six digits, and an empty holder': async (world) => {
    const spec = {
      holderIdentity: '',
      leaseDurationSeconds: 6,
      acquireTime: microTime,
      renewTime: microTime,
      leaseTransitions: 0,
    }
    await world.create(aLease({ name: 'a' }, spec))
    assert.deepEqual((await world.found('leases', 'a'))['spec'], spec)
  },
  'a time with fewer digits in a Lease is refused': async (world) => {
    const body = aLease({ name: 'a' }, { holderIdentity: 'x', renewTime: '2026-01-01T12:00:00.001Z' })
    assert.match(
      await world.verdict(world.path('leases'), { method: 'POST', body }),
      /^4(00|22) .*2026-01-01T12:00:00\.001Z/,
    )
  },
  'a Lease of 0 seconds: 422': async (world) => {
    const body = aLease({ name: 'a' }, { holderIdentity: 'x', leaseDurationSeconds: 0 })
    assert.match(
      await world.verdict(world.path('leases'), { method: 'POST', body }),
      /^422 Invalid: .*spec\.leaseDurationSeconds: Invalid value: 0: .* greater than (or equal to 1|0)/,
    )
  },
  'two renew a Lease from one version: one is told 409, one without a version 422': async (world) => {
    const made = await world.create(aLease({ name: 'a' }, { holderIdentity: 'x' }))
    const put = (body: object) => world.verdict(world.path('leases', 'a'), { method: 'PUT', body })
    assert.equal(await put({ ...made, spec: { holderIdentity: 'x', leaseTransitions: 1 } }), '200')
    assert.match(
      await put({ ...made, spec: { holderIdentity: 'y' } }),
      /^409 Conflict: Operation cannot be fulfilled on leases\.coordination\.k8s\.io "a": /,
    )
    assert.match(
      await put(aLease({ name: 'a' }, { holderIdentity: 'z' })),
      /^422 Invalid: .*metadata\.resourceVersion: .*must be specified for an update/,
    )
    assert.deepEqual((await world.found('leases', 'a'))['spec'], { holderIdentity: 'x', leaseTransitions: 1 })
  },
  'an Event of the new group is seen through the old one, with its own names for things': async (world) => {
    await world.create(anEvent(world, 'a', { related: undefined }))
    const core = await world.found('core events', 'a')
    assert.partialDeepStrictEqual(core, {
      kind: 'Event',
      apiVersion: 'v1',
      message: 'it was tested',
      reason: 'Tested',
      type: 'Normal',
      eventTime: microTime,
      action: 'Testing',
      involvedObject: { kind: 'SecondCronJob', name: 'a', uid: 'u', apiVersion: 'myyrakle.com/v1' },
      reportingComponent: 'example.com/contract',
      reportingInstance: 'contract-1',
    })
    const own = await world.found('events', 'a')
    assert.partialDeepStrictEqual(own, { note: 'it was tested', reportingController: 'example.com/contract' })
    assert.equal(own.metadata['uid'], core.metadata['uid'])
  },
  'and one of the old group through the new one': async (world) => {
    const times = { firstTimestamp: '2026-01-01T12:00:00Z', lastTimestamp: '2026-01-01T12:00:05Z' }
    await world.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'b', namespace: world.namespace },
      involvedObject: { kind: 'Job', namespace: world.namespace, name: 'j' },
      type: 'Warning',
      reason: 'Old',
      message: 'it was seen',
      source: { component: 'test' },
      count: 2,
      ...times,
    })
    assert.partialDeepStrictEqual(await world.found('events', 'b'), {
      note: 'it was seen',
      regarding: { kind: 'Job', name: 'j' },
      deprecatedSource: { component: 'test' },
      deprecatedCount: 2,
      deprecatedFirstTimestamp: times.firstTimestamp,
      deprecatedLastTimestamp: times.lastTimestamp,
    })
  },
  'field selectors find the Events of one object': async (world) => {
    await world.create(anEvent(world, 'a'))
    await world.create(anEvent(world, 'b', { type: 'Warning' }))
    const select = (fields: string) => world.names('core events', `fieldSelector=${encodeURIComponent(fields)}`)
    assert.deepEqual(await select('involvedObject.name=a'), ['a'])
    assert.deepEqual(await select('involvedObject.kind=SecondCronJob,involvedObject.name!=a'), ['b'])
    assert.deepEqual(await select(`involvedObject.uid=u,involvedObject.namespace=${world.namespace}`), ['a', 'b'])
    assert.deepEqual(await select('type=Warning'), ['b'])
  },
  'a series is added by a merge patch': async (world) => {
    await world.create(anEvent(world, 'a'))
    const series = { count: 2, lastObservedTime: microTime }
    assert.deepEqual((await world.merge('events', 'a', { series }))['series'], series)
  },
  'the note of an Event is fixed': only('real', unchecked, async (world) => {
    await world.create(anEvent(world, 'a'))
    const sent = { method: 'PATCH', type: 'merge-patch+json', body: { note: 'another' } } as const
    assert.equal(
      await world.verdict(world.path('events', 'a'), sent),
      '422 Invalid: Event "a" is invalid: message: Invalid value: "another": field is immutable',
    )
  }),
  'an Event without what the new group wants: 422': only('real', unchecked, async (world) => {
    const wanted: Readonly<Record<string, readonly [object, RegExp]>> = {
      action: [{ action: undefined }, /action: Required value/],
      controller: [{ reportingController: undefined }, /reportingController: Required value/],
      instance: [
        { reportingInstance: 'x'.repeat(129) },
        /reportingInstance: Invalid value: "": can have at most 128 characters/,
      ],
      reason: [{ reason: undefined }, /reason: Required value/],
      note: [{ note: 'x'.repeat(1_025) }, /message: Invalid value: "": can have at most 1024 characters/],
      type: [{ type: 'Loud' }, /type: Invalid value: "": has invalid value: Loud/],
      time: [{ eventTime: null }, /eventTime: Required value/],
    }
    for (const [what, [change, words]] of Object.entries(wanted)) {
      const verdict = await postEvent(world, change as Record<string, unknown>)
      assert.match(verdict, /^422 Invalid: /, what)
      assert.match(verdict, words)
    }
  }),
})
