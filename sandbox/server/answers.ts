import type { ServerResponse } from 'node:http'
import { Failure } from './failure.ts'
import type { Target } from './request.ts'

/** One request about a resource, as the server itself saw it. */
export interface RequestRecord extends Omit<Target, 'verb' | 'version'> {
  readonly verb: string
  readonly user: string
  readonly userAgent: string
  readonly code: number
  readonly dryRun: boolean
  /** Epoch milliseconds with a fraction: taken before anything else is done. */
  readonly received: number
  /** The answer was complete. */
  readonly completed: number
}

export interface Answer {
  readonly code: number
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown
}

export function recordOf(
  { version: _version, ...target }: Target,
  answer: Answer | null,
  rest: Pick<RequestRecord, 'received' | 'completed' | 'dryRun' | 'userAgent'>,
): RequestRecord {
  const name = target.name === '' ? nameIn(answer) : target.name
  return { ...target, name, user: 'sandbox', code: answer?.code ?? 200, ...rest }
}

export const pageNotFound: Answer = { code: 404, body: '404 page not found\n' }

export function failed(thrown: unknown): Answer {
  if (thrown instanceof Failure) return { code: thrown.code, body: thrown.status }
  const message = `Internal error occurred: ${thrown instanceof Error ? thrown.stack : String(thrown)}`
  return failed(new Failure(500, 'InternalError', message))
}

/** Of what was created, for which the path has no name. */
function nameIn(answer: Answer | null): string {
  const { metadata, details } = (answer?.body ?? {}) as { metadata?: { name?: string }; details?: { name?: string } }
  return metadata?.name ?? details?.name ?? ''
}

/** A watch has had its answer: it is ended. */
export function send(outgoing: ServerResponse, answer: Answer | null, warnings: readonly string[]): void {
  if (answer === null) return void outgoing.end()
  const { code, body } = answer
  const isText = typeof body === 'string'
  outgoing.setHeader('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json')
  if (warnings.length > 0)
    outgoing.setHeader(
      'warning',
      warnings.map((warning) => `299 - ${JSON.stringify(warning)}`),
    )
  outgoing.writeHead(code).end(isText ? body : JSON.stringify(body))
}
