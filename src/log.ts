import pino, { type Logger } from 'pino'
import { ApiError } from './api/api-error.ts'

/** An answer of the API server is told in its own words; where in our code it arrived is of no use to the reader. */
function serializeError(error: Error): object {
  if (!(error instanceof ApiError)) return pino.stdSerializers.err(error)
  const { kind, code, reason, message } = error
  return { kind, code, reason, message }
}

/** The longest time that a line may wait in memory. */
const flushEveryMs = 500

/**
 * The process's one logger: JSON lines on standard output, a fixed message with fields. Asynchronous, since a slow
 * reader of a synchronous log stops every loop of the process; `flush` it before the process ends.
 */
export function createLogger(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushEveryMs })
  const options = {
    level,
    base: { app: 'second-cron-job-operator' },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  }
  return pino(options, destination)
}
