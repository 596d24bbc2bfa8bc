import pino, { type Logger } from 'pino'
import { ApiError } from './api/api-error.ts'
import { LogWriter } from './log-writer.ts'

/** An answer of the API server is told in its own words; where in our code it arrived is of no use to the reader. */
function serializeError(error: Error): object {
  if (!(error instanceof ApiError)) return pino.stdSerializers.err(error)
  const { kind, code, reason, message } = error
  return { kind, code, reason, message }
}

const standardOutput = 1

export interface Log {
  readonly log: Logger
  /** To be flushed before the process ends. */
  readonly writer: LogWriter
}

/**
 * The process's one logger: JSON lines on standard output, a fixed message with fields. Asynchronous, since a slow
 * reader of a synchronous log stops every loop of the process.
 */
export function createLogger(level: string): Log {
  const writer = new LogWriter(standardOutput, (lost) =>
    log.warn({ lost }, 'standard output could not be written for a while, and lines are lost'),
  )
  const options = {
    level,
    base: { app: 'second-cron-job-operator' },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
  }
  const log = pino(options, writer)
  return { log, writer }
}
