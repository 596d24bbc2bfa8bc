import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from './rules.ts'

type Refusal = Extract<Fault, { readonly do: 'answer' }>

/** As the API server refuses. */
export function refuse(response: ServerResponse, { code, reason = '', retryAfterSeconds }: Refusal): void {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `${code} by the proxy` }
  response.writeHead(code, headers).end(JSON.stringify(status))
}

/** Of a body that is no longer as long as it was. */
export function withoutLength(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const left = { ...headers }
  delete left['content-length']
  delete left['transfer-encoding']
  return left
}

/** The answer is there, and is handed on later. */
export async function untilAnswered(fault: Fault): Promise<void> {
  if (fault.do === 'hold') await delay(fault.ms)
  if (fault.do === 'keep') await fault.until
}

/** As it comes. */
export async function handOn(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  for await (const chunk of answer) response.write(chunk)
  response.end()
}
