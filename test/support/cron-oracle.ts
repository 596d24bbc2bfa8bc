import fc from 'fast-check'
import type { Instant } from '../../src/schedule/state.ts'

/** One field of a cron text, and what it means, put together by hand: no part of what is tested reads it. */
interface Field {
  readonly text: string
  readonly has: (value: number) => boolean
  /** Named values, no `*` and no step. */
  readonly fixed: boolean
  readonly any: boolean
}

type Others = readonly [Field, Field, Field, Field, Field]

export interface Pattern {
  readonly text: string
  readonly fields: readonly [Field, ...Others]
}

/** A zone around one change of its clocks: what the wall shows in each minute, asked of Intl one by one. */
export interface Window {
  readonly zone: string
  /** UTC of each minute, and the wall as if it were UTC. */
  readonly minutes: readonly { readonly at: Instant; readonly wall: number }[]
}

const minuteMs = 60_000
const dayMs = 86_400_000

function field(min: number, max: number, few: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min, max })
  const listed = fc.uniqueArray(value, { minLength: 1, maxLength: few })
  const any = fc.constant({ text: '*', has: () => true, fixed: false, any: true })
  const list = listed.map((all) => ({
    text: all.join(','),
    has: (n: number) => all.includes(n),
    fixed: true,
    any: false,
  }))
  const step = fc.integer({ min: 2, max: max - min }).map((by) => {
    return { text: `*/${by}`, has: (n: number) => (n - min) % by === 0, fixed: false, any: false }
  })
  const range = fc.tuple(value, value).map(([a, b]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    const all = to - from === max - min
    return { text: `${from}-${to}`, has: (n: number) => n >= from && n <= to, fixed: !all, any: false }
  })
  const from = fc.tuple(value, fc.integer({ min: 1, max: 20 })).map(([start, by]) => {
    return {
      text: `${start}/${by}`,
      has: (n: number) => n >= start && (n - start) % by === 0,
      fixed: false,
      any: false,
    }
  })
  return fc.oneof(any, list, list, step, range, from)
}

const anyDay: Field = { text: '*', has: () => true, fixed: false, any: true }

/** Hours lean to those in which clocks are changed, days to all. */
export const patterns: fc.Arbitrary<Pattern> = fc
  .tuple(
    field(0, 59, 4),
    field(0, 59, 4),
    fc.oneof(field(0, 23, 4), fc.constantFrom(...['0', '1', '2', '3', '23', '1,2', '2,3', '0,23'].map(hours))),
    fc.oneof({ weight: 3, arbitrary: fc.constant(anyDay) }, { weight: 1, arbitrary: field(1, 31, 9) }),
    fc.oneof({ weight: 9, arbitrary: fc.constant(anyDay) }, { weight: 1, arbitrary: field(1, 12, 9) }),
    fc.oneof({ weight: 3, arbitrary: fc.constant(anyDay) }, { weight: 1, arbitrary: field(0, 6, 4) }),
  )
  .map((fields) => ({ text: fields.map(({ text }) => text).join(' '), fields }))

function hours(text: string): Field {
  const all = new Set(text.split(',').map(Number))
  return { text, has: (n) => all.has(n), fixed: true, any: false }
}

/** Three days before `around` to three after it, minute by minute. */
export function windowOf(zone: string, around: Instant): Window {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const wallOf = (at: Instant) => {
    const [, month, day, year, hour, minute] = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(format.format(at)) ?? []
    return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  }
  const start = around - 3 * dayMs
  return {
    zone,
    minutes: Array.from({ length: (6 * dayMs) / minuteMs }, (_, n) => {
      const at = start + n * minuteMs
      return { at, wall: wallOf(at) }
    }),
  }
}

/** Every slot of the window, by the definition in docs/schedules.md. Slow, and right by looking at it. */
export function allSlots({ fields: [second, ...others] }: Pattern, { minutes }: Window): readonly Instant[] {
  const [, hour] = others
  const seconds = Array.from({ length: 60 }, (_, n) => n).filter((n) => second.has(n))
  const found = new Set<Instant>()
  const add = (at: Instant) => seconds.forEach((n) => found.add(at + n * 1_000))
  const isCadence = !hour.fixed
  let shown = -Infinity
  for (const { at, wall } of minutes) {
    for (let gone = shown + minuteMs; gone < wall && !isCadence && shown > 0; gone += minuteMs)
      if (isMeant(gone, others) && seconds.length > 0) found.add(at)
    if ((isCadence || wall > shown) && isMeant(wall, others)) add(at)
    shown = Math.max(shown, wall)
  }
  return [...found].sort((a, b) => a - b)
}

function isMeant(wall: number, [minute, hour, dayOfMonth, month, dayOfWeek]: Others): boolean {
  const date = new Date(wall)
  const isTime = minute.has(date.getUTCMinutes()) && hour.has(date.getUTCHours())
  const ofMonth = dayOfMonth.has(date.getUTCDate())
  const ofWeek = dayOfWeek.has(date.getUTCDay())
  const isDay = dayOfMonth.any || dayOfWeek.any ? ofMonth && ofWeek : ofMonth || ofWeek
  return isTime && isDay && month.has(date.getUTCMonth() + 1)
}
