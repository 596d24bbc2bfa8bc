import type { TestContext } from 'node:test'
import { Cron } from 'croner'

/** How often slots were calculated since it was asked last. */
export function calculations(t: TestContext): () => number {
  const next = t.mock.method(Cron.prototype, 'nextRun')
  const previous = t.mock.method(Cron.prototype, 'previousRuns')
  let before = 0
  return () => {
    const all = next.mock.callCount() + previous.mock.callCount()
    const count = all - before
    before = all
    return count
  }
}
