import type { CronFields } from './cron-fields.ts'
import { dateOf } from './date.ts'
import { dayMs, type Wall } from './zone.ts'

/** How many seconds of the wall clock from `from` on and before `to` fit: by arithmetic, one step a day at the most. */
export function countOnWall(fields: CronFields, from: Wall, to: Wall): number {
  if (to <= from) return 0
  const first = Math.floor(from / dayMs)
  const last = Math.floor(to / dayMs)
  let days = 0
  for (let day = first; day < last; day += 1) if (isDay(fields, day * dayMs)) days += 1
  const started = isDay(fields, first * dayMs) ? countBefore(fields, from - first * dayMs) : 0
  const begun = isDay(fields, last * dayMs) ? countBefore(fields, to - last * dayMs) : 0
  return days * countBefore(fields, dayMs) - started + begun
}

function isDay({ months, daysOfMonth, daysOfWeek, eitherDay }: CronFields, wall: Wall): boolean {
  const date = dateOf(wall)
  if (!months.includes(date.getUTCMonth() + 1)) return false
  const ofMonth = daysOfMonth.includes(date.getUTCDate())
  const ofWeek = daysOfWeek.includes(date.getUTCDay())
  return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek
}

/** How many times of a day that fits lie before `time`, in milliseconds since its midnight. */
function countBefore({ hours, minutes, seconds }: CronFields, time: number): number {
  const hour = Math.floor(time / 3_600_000)
  const minute = Math.floor(time / 60_000) % 60
  const second = Math.floor(time / 1_000) % 60
  const inMinute = hours.includes(hour) && minutes.includes(minute) ? below(seconds, second) : 0
  const inHour = hours.includes(hour) ? below(minutes, minute) * seconds.length : 0
  return below(hours, hour) * minutes.length * seconds.length + inHour + inMinute
}

function below(values: readonly number[], limit: number): number {
  return values.filter((value) => value < limit).length
}
