import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/api/api-error.ts'
import { systemClock } from '../../src/clock.ts'
import { trialManifest } from '../../src/controller/job-manifest.ts'
import { KubeJobControl } from '../../src/kube/job-control.ts'
import { listMetadata } from '../../src/kube/paged-list.ts'
import { KubeSecondCronJobControl } from '../../src/kube/secondcronjob-control.ts'
import { aTransport } from '../support/a-transport.ts'
import { aJob, aSecondCronJob, template } from '../support/builders.ts'
import { object, ReflectorStory } from '../support/reflector-story.ts'
import { type Answer, json, OpenStream, page, ScriptedApiServer } from '../support/scripted-api-server.ts'

/** What a proxy says that wants somebody to sign in first. */
const html: Answer = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')

const noLists: Record<string, Answer> = {
  'a page of a proxy': html,
  'JSON of somebody else': json(200, {}),
  'a list without a version': json(200, { kind: 'ThingList', items: [] }),
}
for (const [name, answer] of Object.entries(noLists))
  test(`200, but no list (${name}): it does not pass for an empty one`, async () => {
    await using story = await ReflectorStory.start()
    const watch = new OpenStream()
    story.server.expect(answer, page([object('a', '1')], { resourceVersion: '7' }), watch.answer)
    story.run()
    await story.server.after(1)
    await story.paused()
    assert.equal(story.reflector.health(story.clock.monotonic()).synced, false)
    await story.clock.advance(250)
    await story.server.after(3)
    assert.deepEqual(story.seen, ['all a'])
  })

test('an answer that can’t be understood is no answer: every call rejects with an ApiError, and a create is not believed', async (context) => {
  const server = await ScriptedApiServer.start()
  const transport = await aTransport(server, { clock: systemClock })
  context.after(async () => {
    await transport.close()
    await server.end()
  })
  const beat = aSecondCronJob()
  const manifest = trialManifest(beat, template)
  const jobs = new KubeJobControl(transport)
  const objects = new KubeSecondCronJobControl(transport)
  const none = { metadata: { name: 'beat' } }
  const calls: [Answer, () => Promise<unknown>][] = [
    [html, () => jobs.create('default', manifest, { timeoutMs: 5_000 })],
    [html, () => jobs.get('default', 'beat-1')],
    [json(200, null), () => jobs.get('default', 'beat-1')],
    [page([none], { resourceVersion: '1' }), () => jobs.list('default', 'beat')],
    [json(200, {}), () => jobs.list('default', 'beat')],
    [html, () => jobs.delete(aJob())],
    [json(200, none), () => objects.get('default', 'beat')],
    [json(200, none), () => objects.patchStatus(beat, {})],
    [json(200, { items: [] }), () => listMetadata({ transport, path: '/things' })],
    [page([none], { resourceVersion: '1' }), () => listMetadata({ transport, path: '/things' })],
  ]
  for (const [answer, call] of calls) {
    server.expect(answer)
    await assert.rejects(call(), (error) => error instanceof ApiError && error.kind === 'Unanswered')
  }
})
