import type { Mutant } from './mutants.ts'

const beginTrack = 'src/controller/begin-track.ts'

/** What is counted as missed, and what is not. */
export const countMutants: readonly Mutant[] = [
  {
    name: 'what a leader has missed that died before it could tell is not counted',
    changes: [{ file: beginTrack, text: 'missed: missedCount + missed.count', by: 'missed: missedCount' }],
    killers: ['test/unit/controller/untold.test.ts'],
  },
  {
    name: 'handledUntil passes a slot whose create has no answer',
    changes: [
      {
        file: 'src/controller/books.ts',
        text: 'if (line === undefined || line.entry === null) return books',
        by: 'if (line === undefined) return books\n  if (line.entry === null) return told({ ...books, lines })',
      },
    ],
    killers: ['test/unit/controller/books.test.ts'],
  },
  {
    name: 'a slot that was given up is counted as missed, whatever the watch has told of its Job',
    changes: [
      {
        file: 'src/controller/outcome.ts',
        text: 'return isGivenUp && isThere() ?',
        by: 'return isGivenUp && isThere === null ?',
      },
    ],
    killers: ['test/unit/controller/given-up.test.ts'],
  },
  {
    name: 'of slots that were missed in one the one that has a Job after all stays counted',
    changes: [
      {
        file: 'src/controller/books.ts',
        text: '? books : forgivePassed(books, slot, passed)',
        by: '? books : passed.until === slot ? forgivePassed(books, slot, passed) : books',
      },
    ],
    killers: ['test/unit/controller/given-up.test.ts'],
  },
]
