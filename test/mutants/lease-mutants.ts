import type { Mutant } from './mutants.ts'

const elector = 'src/leader/elector.ts'
const lease = 'src/leader/lease.ts'
const term = 'src/leader/term.ts'
const leading = 'src/leading.ts'
const operator = 'src/operator.ts'
const leaseEndTest = 'test/unit/leader/lease-end.test.ts'
const electorTest = 'test/unit/leader/elector.test.ts'
const leadingTest = 'test/unit/leading.test.ts'
const operatorTest = 'test/integration/operator.test.ts'

/** Who leads, from when and until when. */
export const leaseMutants: readonly Mutant[] = [
  {
    name: 'a renewal counts from when it was answered',
    changes: [
      {
        file: elector,
        text: 'else this.term.renewed(claimed)',
        by: 'else this.term.renewed({ ...claimed, sentAt: clock.monotonic(), sentAtWall: clock.now() })',
      },
    ],
    killers: [electorTest],
  },
  {
    name: 'a claim counts from when it was answered',
    changes: [
      {
        file: elector,
        text: 'this.#begin(claimed)',
        by: 'this.#begin({ ...claimed, sentAt: clock.monotonic(), sentAtWall: clock.now() })',
      },
    ],
    killers: [electorTest],
  },
  {
    name: 'an answer that comes after the end of the term begins one',
    changes: [{ file: elector, text: 'if (!term.holds()) return', by: '' }],
    killers: [leaseEndTest],
  },
  {
    name: 'the end of a lease goes by our own flags, not by what it says',
    changes: [{ file: lease, text: 'at + lease.durationMs', by: 'at + 6_000' }],
    killers: [leaseEndTest],
  },
  {
    name: 'a lease that was deleted is as old as what was seen of it last',
    changes: [{ file: lease, text: '{ ...before.lease, resourceVersion: deleted }', by: 'before.lease' }],
    killers: [leaseEndTest],
  },
  {
    name: 'a lease that was deleted is taken at once',
    changes: [
      {
        file: elector,
        text: 'if (transitions !== null) await this.#write(transitions,',
        by: 'if (transitions !== null || lease === null) await this.#write(transitions ?? 0,',
      },
    ],
    killers: [leaseEndTest],
  },
  {
    name: 'a lease that names somebody else ends no term',
    changes: [{ file: elector, text: 'this.term?.end(`the lease is held by', by: 'void (`the lease is held by' }],
    killers: [electorTest],
  },
  {
    name: 'a claim of ours whose answer was lost is somebody else’s',
    changes: [
      {
        file: elector,
        text: 'if (lease?.holder === identity) return this.#write(',
        by: 'if (lease === undefined) return this.#write(',
      },
    ],
    killers: [electorTest],
  },
  {
    name: 'a term is never too old to write',
    changes: [{ file: term, text: ' && this.sinceRenewal() < this.#times.renewDeadlineMs', by: '' }],
    killers: [electorTest],
  },
  {
    name: 'a machine that was suspended is not noticed: the monotonic clock alone tells the age of a term',
    changes: [
      {
        file: term,
        text: 'return Math.max(this.#clock.monotonic() - sentAt, this.#clock.now() - sentAtWall)',
        by: 'return this.#clock.monotonic() - sentAt + 0 * sentAtWall',
      },
    ],
    killers: [electorTest],
  },
  {
    name: 'what is on its way is aborted only when somebody else may begin',
    changes: [
      {
        file: term,
        text: 'this.#times.leaseMs - abortMarginMs, this.#expired',
        by: 'this.#times.leaseMs, this.#expired',
      },
    ],
    killers: [electorTest],
  },
  {
    name: 'clock skew is ignored by whoever competes',
    changes: [{ file: elector, text: 'if (unfit !== null)', by: 'if (unfit === undefined)' }],
    killers: [electorTest],
  },
  {
    name: 'clock skew is not told to whoever competes',
    changes: [
      {
        file: operator,
        text: 'unfit: () => (offset.isSkewed || offset.isStepped ?',
        by: 'unfit: () => (offset === null ?',
      },
    ],
    killers: [operatorTest],
  },
  {
    name: 'a clock that was set forward by an hour is written by until it was given up',
    changes: [{ file: leading, text: 'term.holds() && !isClockStepped()', by: 'term.holds()' }],
    killers: [leadingTest],
  },
  {
    name: 'a machine that was suspended, whose clock is right, is taken for one whose clock was set',
    changes: [
      {
        file: 'src/kube/clock-offset.ts',
        text: 'if (!isFarOff) this.#trusted = wall - now',
        by: 'this.#trusted ??= wall - now',
      },
    ],
    killers: ['test/unit/kube/clock-offset.test.ts'],
  },
  {
    name: 'one answer with a wrong time is enough to give the lease up',
    changes: [{ file: 'src/kube/clock-offset.ts', text: 'const timesInARow = 3', by: 'const timesInARow = 1' }],
    killers: ['test/unit/kube/clock-offset.test.ts'],
  },
  {
    name: 'the lease is released while creates are still on their way',
    changes: [{ file: operator, text: 'await this.#leading.ended()', by: '' }],
    killers: [operatorTest],
  },
  {
    name: 'the lease is not released at the end',
    changes: [{ file: operator, text: 'await this.#elector.release(releaseTimeoutMs)', by: '' }],
    killers: [operatorTest],
  },
  {
    name: 'no list at takeover',
    changes: [
      {
        file: operator,
        text: 'await Promise.all([this.#objects.catchUp(signal), this.#jobs.catchUp(signal)])',
        by: '',
      },
    ],
    killers: [operatorTest],
  },
  {
    name: 'no list of Jobs at takeover',
    changes: [{ file: operator, text: ', this.#jobs.catchUp(signal)])', by: '])' }],
    killers: [operatorTest],
  },
  {
    name: 'the list at takeover is asked for, and not waited for',
    changes: [{ file: leading, text: 'await catchUp(end)', by: 'void catchUp(end).catch(() => undefined)' }],
    killers: [leadingTest],
  },
  {
    name: 'a list that fails at takeover is good enough',
    changes: [{ file: leading, text: 'await clock.sleep(catchUpAgainMs, end)', by: 'caughtUp.abort()' }],
    killers: [leadingTest],
  },
  {
    name: 'a term that ended while the stores caught up decides all the same',
    changes: [{ file: leading, text: 'return !end.aborted\n', by: 'return true\n' }],
    killers: [leadingTest],
  },
  {
    name: 'the next term begins before the one before has stopped',
    changes: [{ file: leading, text: 'this.#last.then(() => this.#lead(term, stop))', by: 'this.#lead(term, stop)' }],
    killers: [leadingTest],
  },
  {
    name: 'what a leader writes passes no fence',
    changes: [
      {
        file: leading,
        text: 'fenced(this.#parts.transport, { holds, expired: term.expired })',
        by: 'this.#parts.transport',
      },
    ],
    killers: [leadingTest],
  },
]
