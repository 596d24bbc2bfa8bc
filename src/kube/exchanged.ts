import type { Dispatcher } from 'undici'
import type { FailedAnswer } from './classify-error.ts'
import { warningTexts } from './warnings.ts'

/** An answer, whole, whatever its status. */
export interface Exchanged extends FailedAnswer {
  readonly warnings: readonly string[]
  /** The server's clock, in epoch milliseconds, cut to the second; null when it did not tell. */
  readonly serverTime: number | null
}

/** Reads the body to its end, so that the connection is free again; `discard` keeps nothing of a success. */
export async function readAnswer(answer: Dispatcher.ResponseData, discard: boolean): Promise<Exchanged> {
  const { headers, statusCode: code } = answer
  const retryAfter = headers['retry-after']
  const serverTime = Date.parse(String(headers['date']))
  return {
    code,
    body: discard && code < 300 ? await drop(answer) : await parse(answer),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    warnings: warningTexts(headers['warning']),
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
  }
}

async function drop({ body }: Dispatcher.ResponseData): Promise<undefined> {
  await body.dump()
}

async function parse({ body, headers }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text()
  return String(headers['content-type']).includes('json') ? JSON.parse(text) : text
}
