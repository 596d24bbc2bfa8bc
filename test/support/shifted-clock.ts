/**
 * Preloaded into an operator process (`node --import`): its wall clock is off by CLOCK_SHIFT_MS, and by CLOCK_STEP_MS more
 * from the first SIGUSR2 on until the next one. The monotonic clock stays as it is, as it does when a clock is set.
 */

const RealDate = Date
const stepMs = Number(process.env['CLOCK_STEP_MS'] ?? 0)
let shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)
let direction = 1

process.on('SIGUSR2', () => {
  shiftMs += direction * stepMs
  direction = -direction
})

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget: typeof Date) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMs] : args, newTarget),
  apply: () => new RealDate(RealDate.now() + shiftMs).toString(),
  get: (target, property) => (property === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, property)),
})
