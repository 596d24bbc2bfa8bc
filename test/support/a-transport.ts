import pino from 'pino'
import type { Clock } from '../../src/clock.ts'
import type { Credentials } from '../../src/kube/credentials.ts'
import { Transport } from '../../src/kube/transport.ts'
import type { ScriptedApiServer } from './scripted-api-server.ts'

export const plainCredentials: Credentials = {
  ca: undefined,
  cert: undefined,
  key: undefined,
  servername: undefined,
  rejectUnauthorized: true,
  authorization: 'Bearer one',
}

export interface TransportOptions {
  readonly clock: Clock
  readonly connections?: number
  readonly overflowConnections?: number
  /** The token of each reading of the credentials; the last one stays. */
  readonly tokens?: readonly string[]
}

export function aTransport(
  server: ScriptedApiServer,
  { clock, connections = 4, overflowConnections = 0, tokens = ['one'] }: TransportOptions,
): Promise<Transport> {
  const left = [...tokens]
  const read = async () => {
    const token = left.length > 1 ? left.shift() : left[0]
    return { ...plainCredentials, authorization: `Bearer ${token}` }
  }
  const source = { server: server.url, read }
  const log = pino({ level: 'silent' })
  return Transport.open({ source, clock, connections, overflowConnections, log, userAgent: 'test/1' })
}
