import pino, { type Logger } from 'pino'

/** The longest time that a line may wait in memory. */
const flushEveryMs = 500

/**
 * The process's one logger: JSON lines on standard output, a fixed message with fields. Asynchronous, since a slow
 * reader of a synchronous log stops every loop of the process; `flush` it before the process ends.
 */
export function createLogger(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushEveryMs })
  return pino(
    { level, base: { app: 'second-cron-job-operator' }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  )
}
