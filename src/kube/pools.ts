import { createSecureContext } from 'node:tls'
import { type Dispatcher, Pool } from 'undici'
import { type Credentials, tlsOf } from './credentials.ts'
import { writeGuard } from './write-guard.ts'

/**
 * launch: creates of Jobs, nothing else may hold its connections. lease: the election, which nothing may delay.
 * control: everything else with an end. watch: streams.
 */
export type Lane = 'launch' | 'lease' | 'control' | 'watch'

/** overflow: what the launch lane has no connection for. */
export type Pools = Readonly<Record<Lane | 'overflow', Dispatcher>>

export interface PoolParts {
  readonly origin: string
  /** Of the launch lane. */
  readonly connections: number
  /** Beside those, while all of them are held. */
  readonly overflowConnections: number
  readonly credentials: Credentials
}

/** More than trials of templates there may be at once, which may hang. */
const controlConnections = 20
/** One to renew on while another one hangs. */
const leaseConnections = 2

/**
 * HTTP/1.1 without pipelining: one request a connection, so that a dead connection costs one request and no more. The
 * API server closes idle connections after 90 s; ours are given up before that, so that no create meets a closing one.
 */
export function makePools({ origin, connections, overflowConnections, credentials }: PoolParts): Pools {
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
    })
  const launch = make(connections)
  const overflow = make(Math.max(1, overflowConnections))
  const isFull = () => overflowConnections > 0 && launch.stats.size >= connections
  return {
    launch: launch.compose(overflowing(isFull, overflow), writeGuard),
    overflow,
    lease: make(leaseConnections).compose(writeGuard),
    control: make(controlConnections).compose(writeGuard),
    watch: make(null).compose(writeGuard),
  }
}

/**
 * A pool with a higher limit would do, but for undici: in an ordinary burst it opens new connections beside those that are
 * about to be free.
 */
function overflowing(isFull: () => boolean, overflow: Dispatcher): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    isFull() ? overflow.dispatch(options, handler) : dispatch(options, handler)
}
