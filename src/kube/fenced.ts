import type { ApiAnswer, ApiRequest, Transport } from './transport.ts'

/** Whoever sends requests. */
export type Requester = Pick<Transport, 'request'>

/** A time in which this process may write: a term of leadership. */
export interface Fence {
  /** Whether a write may be sent in this very turn. */
  readonly holds: () => boolean
  /** Aborts when what is on its way is to be given up. */
  readonly expired: AbortSignal
}

/**
 * Lets reads through, and writes only while the fence holds: asked in the turn in which a write is written to its
 * connection (`NotSent` otherwise), and what is on its way when the fence expires is aborted (`Unanswered`).
 */
export function fenced(transport: Requester, { holds, expired }: Fence): Requester {
  return {
    request: async (request: ApiRequest): Promise<ApiAnswer> => {
      if (request.method === 'GET') return transport.request(request)
      const limit = new AbortController()
      const abort = () => limit.abort()
      const signals = [expired, ...(request.signal === undefined ? [] : [request.signal])]
      if (signals.some(({ aborted }) => aborted)) abort()
      for (const signal of signals) signal.addEventListener('abort', abort)
      const isWanted = () => holds() && (request.isWanted?.() ?? true)
      try {
        return await transport.request({ ...request, signal: limit.signal, isWanted })
      } finally {
        for (const signal of signals) signal.removeEventListener('abort', abort)
      }
    },
  }
}
