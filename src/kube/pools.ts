import { createSecureContext } from 'node:tls'
import { type Dispatcher, Pool } from 'undici'
import { type Credentials, tlsOf } from './credentials.ts'
import { writeGuard } from './write-guard.ts'

/**
 * launch: creates of Jobs, nothing else may hold its connections. lease: the election, which nothing may delay.
 * control: everything else with an end. watch: streams.
 */
export type Lane = 'launch' | 'lease' | 'control' | 'watch'

export type Pools = Readonly<Record<Lane, Dispatcher>>

export interface PoolParts {
  readonly origin: string
  /** Of the launch lane. */
  readonly connections: number
  readonly credentials: Credentials
}

const controlConnections = 16
/** One to renew on while another one hangs. */
const leaseConnections = 2

/**
 * HTTP/1.1 without pipelining: one request a connection, so that a dead connection costs one request and no more. The
 * API server closes idle connections after 90 s; ours are given up before that, so that no create meets a closing one.
 */
export function makePools({ origin, connections, credentials }: PoolParts): Pools {
  const { servername, rejectUnauthorized, ...certificates } = tlsOf(credentials)
  const verified = servername === undefined ? { rejectUnauthorized } : { servername, rejectUnauthorized }
  // One for all: made for each connection anew, it took a hundred kilobytes each.
  const secureContext = createSecureContext(certificates)
  const make = (limit: number | null) =>
    new Pool(origin, {
      connections: limit,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 75_000,
      keepAliveMaxTimeout: 85_000,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      connect: { secureContext, ...verified, timeout: 5_000, keepAlive: true, keepAliveInitialDelay: 30_000 },
    }).compose(writeGuard)
  return {
    launch: make(connections),
    lease: make(leaseConnections),
    control: make(controlConnections),
    watch: make(null),
  }
}
