const first = 20
const most = 500
/** What a page should weigh at most, in bytes: little enough to be read in a moment. */
const fitting = 8_000_000

/** How many items to ask for at once, from what those before them weighed; an item may weigh 1.5 MB, or a kilobyte. */
export class PageSize {
  #next = first

  get next(): number {
    return this.#next
  }

  /** A page was read. It may hold more than twice of what is light now, since the next ones may be heavier. */
  read(items: number, bytes: number): void {
    if (items === 0) return
    const fit = Math.floor((fitting * items) / Math.max(bytes, 1))
    this.#next = Math.max(1, Math.min(fit, 2 * this.#next, most))
  }

  /** A page did not arrive; maybe it was too heavy. */
  failed(): void {
    this.#next = Math.min(this.#next, first)
  }
}
