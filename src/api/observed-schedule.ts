import type { Spec } from './secondcronjob.ts'

/** The schedule in normal form, for `status.observedSchedule`: two specs with the same text have the same slots. */
export function observedScheduleOf({ suspend, schedule }: Spec): string {
  if (suspend) return 'suspended'
  if (schedule.kind === 'cron') return `${schedule.text} (${schedule.timeZone})`
  const every = `every ${schedule.intervalSeconds}s`
  return schedule.firstRun === 'AtCreation' ? every : `${every}, first after the interval`
}
