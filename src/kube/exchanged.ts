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
    body: code >= 200 && code < 300 ? await readSuccess(answer, discard) : await parse(answer),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    warnings: warningTexts(headers['warning']),
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
  }
}

/** The API server tells of every success in JSON. Anything else comes from somebody who sits in between. */
async function readSuccess(answer: Dispatcher.ResponseData, discard: boolean): Promise<unknown> {
  const isApiServer = isJson(answer)
  if (discard || !isApiServer) await answer.body.dump()
  if (!isApiServer)
    throw new Error(
      `HTTP ${answer.statusCode}, but not from an API server: ${contentType(answer) || 'no content-type'}`,
    )
  return discard ? undefined : parse(answer)
}

async function parse(answer: Dispatcher.ResponseData): Promise<unknown> {
  const text = await answer.body.text()
  return isJson(answer) ? JSON.parse(text) : text
}

function isJson(answer: Dispatcher.ResponseData): boolean {
  return contentType(answer).includes('json')
}

function contentType({ headers }: Dispatcher.ResponseData): string {
  return String(headers['content-type'] ?? '')
}
