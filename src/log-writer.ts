import { write, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** So many characters are worth a write at once; fewer wait for more. */
const enough = 4_096
const waitMs = 500
/** A reader that has not read is asked again then. */
const againMs = 100
/** Of characters that nobody has taken. */
const mostKept = 1_048_576

/**
 * Lines on their way to a file descriptor, which may be slow, full or gone: whoever logs never waits for it and is never
 * told of it. One write is under way at a time. What does not fit into memory or is refused (a full disk) is lost, and
 * counted; the next lines are tried all the same.
 *
 * Not pino's own destination: at the end of the process it writes synchronously, again and again for ever.
 */
export class LogWriter {
  readonly #fd: number
  readonly #regained: (lost: number) => void
  #waiting: string[] = []
  #waitingLength = 0
  #lost = 0
  #sending: Promise<void> | null = null
  #isInKernel = false
  #timer: NodeJS.Timeout | null = null

  /** `regained` is told how many lines were lost, when one could be written again. */
  constructor(fd: number, regained: (lost: number) => void) {
    this.#fd = fd
    this.#regained = regained
  }

  /** Whether a write hangs in the kernel: the end of the process would wait for it. */
  get isStuck(): boolean {
    return this.#isInKernel
  }

  /** With its newline. */
  write(line: string): void {
    if (this.#waitingLength + line.length > mostKept) {
      this.#lost += 1
      return
    }
    this.#waiting.push(line)
    this.#waitingLength += line.length
    if (this.#waitingLength >= enough) void this.#send()
    else this.#timer ??= setTimeout(() => void this.#send(), waitMs).unref()
  }

  /** Resolves when everything is written or lost, or after `limitMs`; false then. */
  async drained(limitMs: number): Promise<boolean> {
    const limit = new AbortController()
    const tooLate = delay(limitMs, false, { signal: limit.signal }).catch(() => false)
    const isDone = await Promise.race([this.#send().then(() => true), tooLate])
    limit.abort()
    return isDone
  }

  /** In the last turn of the process, when it ends by a bug: what still waits is tried once. */
  finish(): void {
    if (this.#isInKernel) return
    try {
      writeSync(this.#fd, this.#take().join(''))
    } catch {
      // There is nobody left to tell.
    }
  }

  #send(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#take()
      if (await this.#isWritten(Buffer.from(lines.join('')))) this.#tellOfLost()
      else this.#lost += lines.length
    }
  }

  #take(): readonly string[] {
    const lines = this.#waiting
    this.#waiting = []
    this.#waitingLength = 0
    return lines
  }

  #tellOfLost(): void {
    const lost = this.#lost
    this.#lost = 0
    if (lost > 0) this.#regained(lost)
  }

  async #isWritten(bytes: Buffer): Promise<boolean> {
    for (let left = bytes; left.length > 0; ) {
      const { code, written } = await this.#writeOnce(left)
      if (code === 'EAGAIN' || code === 'EBUSY') await delay(againMs, undefined, { ref: false })
      else if (code !== null) return false
      left = left.subarray(written)
    }
    return true
  }

  /** The code of the error, or null. */
  async #writeOnce(bytes: Buffer): Promise<{ readonly code: string | null; readonly written: number }> {
    this.#isInKernel = true
    return new Promise((resolve) => {
      write(this.#fd, bytes, (error, written) => {
        this.#isInKernel = false
        resolve({ code: error === null ? null : (error.code ?? error.message), written: error === null ? written : 0 })
      })
    })
  }
}
