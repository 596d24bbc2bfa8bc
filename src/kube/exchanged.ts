import type { Dispatcher } from 'undici'
import type { FailedAnswer } from './classify-error.ts'
import { JsonItems } from './json-items.ts'
import { warningTexts } from './warnings.ts'

/** An answer, whole, whatever its status. */
export interface Exchanged extends FailedAnswer {
  readonly warnings: readonly string[]
  /** The server's clock, in epoch milliseconds, cut to the second; null when it did not tell. */
  readonly serverTime: number | null
}

/** What is wanted of the body of a success. */
export interface Reading {
  readonly discardAnswer?: boolean
  readonly each?: (item: unknown, bytes: number) => void
}

/** Reads the body to its end, so that the connection is free again. */
export async function readAnswer(answer: Dispatcher.ResponseData, reading: Reading): Promise<Exchanged> {
  const { headers, statusCode: code } = answer
  const retryAfter = headers['retry-after']
  const serverTime = Date.parse(String(headers['date']))
  return {
    code,
    body: code >= 200 && code < 300 ? await readSuccess(answer, reading) : await parse(answer),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    warnings: warningTexts(headers['warning']),
    serverTime: Number.isNaN(serverTime) ? null : serverTime,
  }
}

/** The API server tells of every success in JSON. Anything else comes from somebody who sits in between. */
async function readSuccess(answer: Dispatcher.ResponseData, reading: Reading): Promise<unknown> {
  const discard = reading.discardAnswer === true
  const isApiServer = isJson(answer)
  if (discard || !isApiServer) await answer.body.dump()
  if (!isApiServer)
    throw new Error(
      `HTTP ${answer.statusCode}, but not from an API server: ${contentType(answer) || 'no content-type'}`,
    )
  if (discard) return undefined
  return reading.each === undefined ? parse(answer) : readItems(answer, reading.each)
}

async function readItems(answer: Dispatcher.ResponseData, each: NonNullable<Reading['each']>): Promise<unknown> {
  const items = new JsonItems(each)
  for await (const chunk of answer.body) items.push(chunk as Buffer)
  return items.rest()
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
