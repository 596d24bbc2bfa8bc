import type { ServerResponse } from 'node:http'
import { Failure } from './failure.ts'

export interface Answer {
  readonly code: number
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown
}

export const pageNotFound: Answer = { code: 404, body: '404 page not found\n' }

export function failed(thrown: unknown): Answer {
  if (thrown instanceof Failure) return { code: thrown.code, body: thrown.status }
  return failed(new Failure(500, `Internal error occurred: ${thrown instanceof Error ? thrown.stack : String(thrown)}`))
}

/** Of what was created, for which the path has no name. */
export function nameIn({ body }: Answer): string {
  const { metadata, details } = body as { metadata?: { name?: string }; details?: { name?: string } }
  return metadata?.name ?? details?.name ?? ''
}

export function send(outgoing: ServerResponse, { code, body }: Answer, warnings: readonly string[]): void {
  const isText = typeof body === 'string'
  outgoing.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
  for (const warning of warnings) outgoing.appendHeader('warning', `299 - ${JSON.stringify(warning)}`)
  outgoing.writeHead(code).end(isText ? body : JSON.stringify(body))
}
