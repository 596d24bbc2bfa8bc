import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, test } from 'node:test'
import { LogWriter } from '../../src/log-writer.ts'

let folder: string
let fd: number
beforeEach(async () => {
  folder = await mkdtemp(`${tmpdir()}/log-writer-`)
})
afterEach(async () => {
  closeSync(fd)
  await rm(folder, { recursive: true })
})

const unexpected = (lost: number) => assert.fail(`${lost} lines are lost`)
const line = `${'x'.repeat(999)}\n`

/** As node has it for a pipe at standard output: who writes is told that it is full. */
function pipe(): void {
  execFileSync('mkfifo', [`${folder}/pipe`])
  fd = openSync(`${folder}/pipe`, constants.O_RDWR | constants.O_NONBLOCK)
}

/** What is in the pipe now. */
function readAll(): string {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.alloc(65_536)
    try {
      chunks.push(chunk.subarray(0, readSync(fd, chunk)))
    } catch {
      return Buffer.concat(chunks).toString('utf8')
    }
  }
}

test('lines in their order, a few at once', async () => {
  fd = openSync(`${folder}/log`, 'a')
  const writer = new LogWriter(fd, unexpected)
  const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n} of a log, with an é\n`)
  for (const text of lines) writer.write(text)
  assert.equal(await writer.drained(10_000), true)
  assert.equal(readFileSync(`${folder}/log`, 'utf8'), lines.join(''))
})

/** The first write threw in whatever turn it came, and the end of the process never came: it wrote again and again. */
test('a full disk: whoever logs does not hear of it, and the end does not wait', async () => {
  fd = openSync('/dev/full', 'w')
  const writer = new LogWriter(fd, unexpected)
  for (let n = 0; n < 3_000; n += 1) writer.write(line)
  assert.equal(await writer.drained(10_000), true)
  writer.write(line)
  writer.finish()
})

test('a pipe that nobody reads: not more than a megabyte is kept, the rest is lost, and the end waits no longer than it may', async () => {
  pipe()
  const lost: number[] = []
  const writer = new LogWriter(fd, (count) => lost.push(count))
  for (let n = 0; n < 3_000; n += 1) writer.write(line)
  assert.equal(await writer.drained(50), false)
  writer.finish()
  assert.equal(writer.isStuck, false)
  const read: string[] = []
  while (!(await writer.drained(20))) read.push(readAll())
  read.push(readAll())
  const kept = read.join('').length / line.length
  assert.ok(kept >= 1_000 && kept < 1_200, `${kept} lines kept`)
  assert.equal(lost.length, 1)
  assert.equal(kept + (lost[0] ?? 0), 3_000)
})
