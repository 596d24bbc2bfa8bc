const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const marks: ReadonlySet<number | undefined> = new Set([quote, openBracket, closeBracket, openBrace, closeBrace])

/** The items of a list are the objects in the one array that is a field of the whole: `{ "items": [ { } ] }`. */
const itemsDepth = 2

/**
 * Splits the JSON of a list, as its bytes come in, into its items and the rest, so that of five hundred items one at a time
 * is in memory: a parsed item may take twenty times what it weighs. What is no list is all rest.
 */
export class JsonItems {
  readonly #each: (item: unknown, bytes: number) => void
  #rest: Buffer[] = []
  /** Of the item that has begun and not ended. */
  #item: Buffer[] = []
  #reading: 'rest' | 'between items' | 'item' = 'rest'
  #depth = 0
  #isObject = false
  #isInText = false
  #isEscaped = false
  /** What is read now begins here in the chunk. */
  #start = 0
  /** In the chunk; its length when there is none. */
  #nextQuote = -1
  #nextBackslash = -1

  constructor(each: (item: unknown, bytes: number) => void) {
    this.#each = each
  }

  /** Throws SyntaxError on an item that is no JSON object, and what `each` throws. */
  push(chunk: Buffer): void {
    this.#start = 0
    this.#nextQuote = -1
    this.#nextBackslash = -1
    for (let at = 0; at < chunk.length; ) at = this.#isInText ? this.#skipText(chunk, at) : this.#mark(chunk, at)
    this.#keep(chunk, chunk.length)
  }

  /** The list, with no items. Throws SyntaxError. */
  rest(): unknown {
    return JSON.parse(Buffer.concat(this.#rest).toString('utf8'))
  }

  /** Answers where to go on after the text, which may be a megabyte long: its end is looked for by native code. */
  #skipText(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    while (at < chunk.length) {
      // Each is looked for once in a chunk, however many of the other one there are.
      if (this.#nextQuote < at) this.#nextQuote = placeOf(quote, chunk, at)
      if (this.#nextBackslash < at) this.#nextBackslash = placeOf(backslash, chunk, at)
      if (this.#nextQuote < this.#nextBackslash) {
        this.#isInText = false
        return this.#nextQuote + 1
      }
      this.#isEscaped = this.#nextBackslash === chunk.length - 1
      at = this.#nextBackslash + 2
    }
    return at
  }

  /** Reads up to the next byte that means something outside of a text, and answers where to go on. */
  #mark(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !marks.has(chunk[at])) at += 1
    const byte = chunk[at]
    if (byte === quote) this.#isInText = true
    else if (byte === openBrace || byte === openBracket) this.#open(chunk, at, byte === openBrace)
    else if (byte !== undefined) this.#close(chunk, at)
    return at + 1
  }

  #open(chunk: Buffer, at: number, isObject: boolean): void {
    if (this.#depth === 0) this.#isObject = isObject
    if (this.#depth === itemsDepth - 1 && this.#isObject && !isObject) this.#turn('between items', chunk, at + 1)
    else if (this.#reading === 'between items' && isObject) this.#turn('item', chunk, at)
    this.#depth += 1
  }

  #close(chunk: Buffer, at: number): void {
    this.#depth -= 1
    if (this.#reading === 'between items') this.#turn('rest', chunk, at)
    else if (this.#reading === 'item' && this.#depth === itemsDepth) {
      this.#turn('between items', chunk, at + 1)
      this.#tell()
    }
  }

  #turn(to: 'rest' | 'between items' | 'item', chunk: Buffer, at: number): void {
    this.#keep(chunk, at)
    this.#start = at
    this.#reading = to
  }

  #keep(chunk: Buffer, end: number): void {
    const part = chunk.subarray(this.#start, end)
    if (this.#reading === 'item') this.#item.push(part)
    else if (this.#reading === 'rest') this.#rest.push(part)
    else if (!/^[\s,]*$/.test(part.toString('latin1'))) throw new SyntaxError('an item of the list is no object')
  }

  #tell(): void {
    const bytes = Buffer.concat(this.#item)
    this.#item = []
    this.#each(JSON.parse(bytes.toString('utf8')), bytes.length)
  }
}

function placeOf(byte: number, chunk: Buffer, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? chunk.length : at
}
