import assert from 'node:assert/strict'
import { aJob, podSpec } from '../kinds.ts'
import { group } from '../row.ts'

export const jobChecks = group('checks of Jobs', {
  'restartPolicy Always in a Job: 422': async (world) => {
    const body = aJob({ name: 'a' }, { template: { spec: { ...podSpec, restartPolicy: 'Always' } } })
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body }),
      /^422 Invalid: Job\.batch "a" is invalid: spec\.template\.spec\.restartPolicy: .*: "OnFailure", "Never"$/,
    )
  },
  'no template at all: 422 that names what is missing': async (world) => {
    const body = aJob({ name: 'a' }, { template: undefined })
    const verdict = await world.verdict(world.path('jobs'), { method: 'POST', body })
    assert.match(verdict, /^422 Invalid: .*spec\.template(\.spec\.containers)?: Required value/)
  },
  'a container without an image, one without a name: 422': async (world) => {
    const containers = [{ name: 'a' }, { image: 'b' }]
    const body = aJob({ name: 'a' }, { template: { spec: { ...podSpec, containers } } })
    const verdict = await world.verdict(world.path('jobs'), { method: 'POST', body })
    assert.match(verdict, /spec\.template\.spec\.containers\[0\]\.image: Required value/)
    assert.match(verdict, /spec\.template\.spec\.containers\[1\]\.name: Required value/)
  },
  'a negative backoffLimit: 422': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a' }, { backoffLimit: -1 }) }),
      /^422 Invalid: Job\.batch "a" is invalid: spec\.backoffLimit: Invalid value: -1: .* greater than or equal to 0$/,
    )
  },
  'a text for a number in a Job: 400, since it can not be read as one': async (world) => {
    assert.match(
      await world.verdict(world.path('jobs'), { method: 'POST', body: aJob({ name: 'a' }, { backoffLimit: 'x' }) }),
      /^400 BadRequest: Job in version "v1" cannot be handled as a Job: .*backoffLimit/,
    )
  },
  'an unknown field of a Job: dropped, with a warning that names it': async (world) => {
    const containers = [{ name: 'a', image: 'a', imagee: 'b' }]
    const body = aJob({ name: 'a' }, { template: { spec: { ...podSpec, containers } } })
    const {
      code,
      headers,
      body: made,
    } = await world.send(`${world.path('jobs')}?fieldValidation=Warn`, { method: 'POST', body })
    assert.deepEqual(
      [code, headers['warning']],
      [201, '299 - "unknown field \\"spec.template.spec.containers[0].imagee\\""'],
    )
    assert.doesNotMatch(JSON.stringify(made), /imagee/)
  },
})
