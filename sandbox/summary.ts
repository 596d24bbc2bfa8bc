import { describeLateness, type Verdict } from '../test/support/verdict.ts'
import { clockTime, type Judgement, type Sample } from './samples.ts'

export function isAllRight({ lost, twice, early, offGrid }: Verdict): boolean {
  return lost.length + twice.length + early.length + offGrid.length === 0
}

/** What was found, in a few lines. What was not looked at is said in the line of the counts themselves. */
export function summaryOf(samples: readonly Sample[], judgement: Judgement): readonly string[] {
  const { due, lost, twice, early, offGrid, uncounted } = judgement
  const but = uncounted.length === 0 ? '' : ` without those of ${uncounted.map(({ title }) => title).join(', ')}`
  const counts = `${lost.length} lost, ${twice.length} twice, ${early.length} early, ${offGrid.length} that were not due`
  const wrong = [...lost, ...twice, ...early, ...offGrid].slice(0, 10)
  const changed = samples.filter(({ changedAt }) => changedAt !== null)
  return [
    `${due} slots due${but}, ${counts}; ${describeLateness(judgement)}`,
    ...(wrong.length === 0 ? [] : [`wrong are ${wrong.join(', ')}`]),
    'the run at creation is left out: its slot is the creation, which is noted in whole seconds',
    ...uncounted.map(
      ({ title, runs }) => `${title}: ${runs} runs, looked at for doubles and early ones only: ${whyNotCounted}`,
    ),
    ...changed.map(
      ({ title, changedAt }) =>
        `${title} was changed at ${clockTime(changedAt ?? 0)} UTC and is judged up to two seconds before`,
    ),
  ]
}

const whyNotCounted = 'with a cron text or a policy, what is due is not known here'
