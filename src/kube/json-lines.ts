/** A line of the stream that is no JSON: what was lost can't be known. */
export class BrokenLine extends Error {
  constructor(options?: ErrorOptions) {
    super('a line of the watch is not JSON', options)
    this.name = 'BrokenLine'
  }
}

const newline = 0x0a

/**
 * Splits a byte stream into lines of JSON. Works on bytes, so that a character cut in two by a chunk border is whole
 * again before it is read. What follows the last newline when the stream ends was cut off, and is dropped.
 */
export class JsonLines {
  #rest: Buffer[] = []

  /** The values whose lines end in this chunk. Throws BrokenLine. */
  push(chunk: Buffer): unknown[] {
    const values: unknown[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(start, end)]).toString('utf8')
      this.#rest = []
      start = end + 1
      if (line.trim() !== '') values.push(parse(line))
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start))
    return values
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new BrokenLine({ cause })
  }
}
