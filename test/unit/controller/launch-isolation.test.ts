import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LaunchStory, named } from '../../support/launch-story.ts'

const isBad = (uid: string) => uid.includes('/bad')
const isGood = (uid: string) => !isBad(uid)
const byNumber = (a: number, b: number) => a - b
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => from + n)

test('a hundred hang at once: those of other namespaces are sent in the second in which they are due, all of them', async () => {
  const good = named(20, 'calm/good')
  const story = new LaunchStory([...named(100, 'trouble/bad'), ...good])
  await story.seconds(2)
  story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
  await story.seconds(30)
  for (const uid of good) assert.deepEqual(story.launched(uid), range(0, 32), uid)
  assert.ok(story.latest(isGood) < 0.05, `${story.latest(isGood)} s late`)
  assert.ok(story.mostKnown <= 4, `${story.mostKnown} of known bad ones`)
})

test('a hundred hang at once: in the first moment few are on their way, then one by one it is found out about the others', async () => {
  const story = new LaunchStory(named(100, 'trouble/bad'))
  story.way = () => 'hang'
  await story.seconds(1)
  assert.equal(story.sent.filter(({ sentAt }) => sentAt < 0.5).length, 8)
  assert.ok(story.sent.filter(({ sentAt }) => sentAt >= 0.5).every(({ limitMs }) => limitMs === 1_000))
  await story.seconds(3)
  assert.equal(new Set(story.sent.map(({ uid }) => uid)).size, 100, 'known after four seconds')
  assert.ok(story.most <= 8 + 36 + 4, `${story.most} at once`)
  await story.seconds(8)
  story.most = 0
  await story.seconds(20)
  assert.equal(story.most, 4)
})

test('a hundred hang in a namespace with healthy ones: those before them lose nothing, those behind a few seconds', async () => {
  const [before, behind] = [named(10, 'shared/early'), named(10, 'shared/late')]
  const story = new LaunchStory([...before, ...named(100, 'shared/bad'), ...behind])
  await story.seconds(2)
  story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
  await story.seconds(20)
  for (const uid of before) assert.deepEqual(story.launched(uid), range(0, 22), uid)
  for (const uid of behind) {
    assert.deepEqual(story.launched(uid).slice(-16), range(6, 22), uid)
    assert.ok(story.launched(uid).length >= 18, `${uid} ran ${story.launched(uid).length} times of 22`)
  }
})

test('a hundred hang, and the API server pauses for a moment: those that it hits are not taken for them', async () => {
  for (const pause of [0.6, 0.95, 1.5, 2.5]) {
    const good = named(10, 'calm/good')
    const story = new LaunchStory([...good, ...named(100, 'trouble/bad')])
    story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
    await story.seconds(20)
    story.pausedUntil = 20 + pause
    await story.seconds(20)
    const whole = Math.ceil(20 + pause)
    for (const uid of good) {
      const ran = story.launched(uid).toSorted(byNumber)
      assert.deepEqual([ran.slice(0, 20), ran.slice(whole - 40)], [range(0, 20), range(whole, 40)], `${uid} ${pause}`)
    }
  }
})

test('a webhook that takes its time, for some: each of their runs comes, and those of the others at once', async () => {
  const [tardy, good] = [named(3, 'tardy/good'), named(10, 'calm/good')]
  const story = new LaunchStory([...tardy, ...named(50, 'trouble/bad'), ...good])
  story.way = (uid) => (isBad(uid) ? 'hang' : uid.startsWith('tardy') ? 1_200 : 'take')
  await story.seconds(30)
  await story.quiet(2_000)
  for (const uid of tardy) assert.deepEqual(story.launched(uid).slice(-25), range(5, 30), uid)
  for (const uid of good) assert.deepEqual(story.launched(uid), range(0, 30), uid)
})

test('the API server is busy, and slow for all: that is no hang, and no more are sent to it than usual', async () => {
  const story = new LaunchStory(named(80, 'busy/good'))
  story.busyMs = 25
  await story.seconds(40)
  const runs = named(80, 'busy/good').reduce((sum, uid) => sum + story.launched(uid).length, 0)
  assert.ok(runs >= 0.85 * 40 * 40, `${runs} runs in 40 s of 40 a second`)
  story.most = 0
  await story.seconds(20)
  assert.ok(story.most <= 32, `${story.most} at once`)
})

test('two hang in each of fifty namespaces: nobody else waits much longer than half a second', async () => {
  const bad = range(0, 50).flatMap((n) => [`n${n}/bad0`, `n${n}/bad1`])
  const good = range(0, 50).map((n) => `n${n}/good`)
  const story = new LaunchStory([...good, ...bad])
  await story.seconds(2)
  story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
  await story.seconds(20)
  for (const uid of good) assert.deepEqual(story.launched(uid), range(0, 22), uid)
  assert.ok(story.latest(isGood) <= 0.6, `${story.latest(isGood)} s late`)
  assert.ok(story.mostKnown <= 4)
})

test('the webhook answers again: all of them go with the others again, by themselves', async () => {
  const bad = named(100, 'trouble/bad')
  const story = new LaunchStory(bad)
  story.way = () => 'hang'
  await story.seconds(30)
  story.way = () => 'take'
  await story.seconds(20)
  for (const uid of bad) assert.deepEqual(story.launched(uid).slice(-9), range(41, 50), uid)
})

test('of those that hang each has its turn: nobody comes twice before everybody else has come once', async () => {
  const story = new LaunchStory(named(12, 'trouble/bad'))
  story.way = () => 'hang'
  await story.seconds(40)
  const already = story.sent.length
  await story.seconds(130)
  const turns = story.sent.slice(already).map(({ uid }) => uid)
  assert.ok(turns.length >= 24)
  for (let at = 0; at + 12 <= turns.length; at += 12) assert.equal(new Set(turns.slice(at, at + 12)).size, 12)
})

test('a hundred are refused at once: eight on their way at first, then four; the others are sent when they are due', async () => {
  const good = named(20, 'calm/good')
  const story = new LaunchStory([...named(100, 'trouble/bad'), ...good])
  story.way = (uid) => (isBad(uid) ? 'deny' : 'take')
  await story.seconds(10)
  for (const uid of good) assert.deepEqual(story.launched(uid), range(0, 10), uid)
  assert.ok(story.latest(isGood) < 0.2, `${story.latest(isGood)} s late`)
  assert.equal(story.mostKnown, 4)
  for (const uid of named(100, 'trouble/bad')) {
    const attempts = story.sent.filter((sent) => sent.uid === uid)
    assert.deepEqual(
      attempts.map(({ slot }) => slot),
      range(0, 10),
      'one a second',
    )
  }
})

test('refused ones do not wait behind those that hang: the first run after the quota is lifted is launched', async () => {
  const poor = named(5, 'poor/bad')
  const story = new LaunchStory([...named(50, 'trouble/bad'), ...poor])
  story.way = (uid) => (uid.startsWith('poor') ? 'deny' : 'hang')
  await story.seconds(10)
  story.way = (uid) => (uid.startsWith('poor') ? 'take' : 'hang')
  await story.seconds(5)
  for (const uid of poor) assert.deepEqual(story.launched(uid), range(10, 15), uid)
})

test('its template was tried, and that hung: it begins among those that hang, and is sent at once when a trial is answered', async () => {
  const story = new LaunchStory(['trouble/bad0', 'trouble/bad1', 'trouble/bad2', 'trouble/bad3', 'trouble/mended'])
  story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
  for (const uid of ['trouble/bad0', 'trouble/bad1', 'trouble/bad2', 'trouble/bad3', 'trouble/mended'])
    story.launcher.tried(uid, false)
  await story.seconds(1)
  assert.deepEqual(story.launched('trouble/mended'), [])
  story.launcher.tried('trouble/mended', true)
  await story.quiet(10)
  assert.deepEqual(story.launched('trouble/mended'), [0])
})

test('a create that hung is given up when newer ones have long been answered: that is no news, and sends nobody back', async () => {
  const story = new LaunchStory([...named(20, 'trouble/bad'), 'trouble/mended'])
  story.way = () => 'hang'
  await story.seconds(1)
  story.way = (uid) => (isBad(uid) ? 'hang' : 'take')
  story.launcher.tried('trouble/mended', true)
  await story.seconds(20)
  assert.deepEqual(story.launched('trouble/mended').slice(-19), range(2, 21))
})

test('it is gone and back again while its create hangs: what becomes of the old one touches nothing of the new one', async () => {
  const story = new LaunchStory(['trouble/bad'])
  story.way = () => 'hang'
  await story.seconds(1)
  story.launcher.forget('trouble/bad')
  story.way = () => 'take'
  await story.seconds(15)
  assert.deepEqual(story.launched('trouble/bad'), range(1, 16))
})

test('a create that hangs has no clear answer, wherever it is held', async () => {
  const story = new LaunchStory(['trouble/bad'])
  story.way = () => 'hang'
  await story.seconds(2)
  assert.equal(story.launcher.unsettled('trouble/bad').length, 2)
  assert.equal(story.launcher.isIdle('trouble/bad'), false)
})
