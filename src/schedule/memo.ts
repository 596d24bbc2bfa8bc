/**
 * A bounded memory of what a pure function has answered. It may be shared by all who ask, since what it holds changes
 * how long an answer takes and never what it is. When it is full, what was set longest ago goes; `of` sets what it finds anew.
 */
export class Memo<T> {
  readonly #most: number
  readonly #held = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  /** What is held for `key`; otherwise what `make` answers, which is then held. */
  of(key: string, make: () => T): T {
    const held = this.get(key) ?? make()
    this.set(key, held)
    return held
  }

  get(key: string): T | undefined {
    return this.#held.get(key)
  }

  set(key: string, value: T): void {
    this.#held.delete(key)
    this.#held.set(key, value)
    if (this.#held.size > this.#most) for (const oldest of this.#held.keys()) return void this.#held.delete(oldest)
  }

  get size(): number {
    return this.#held.size
  }
}
