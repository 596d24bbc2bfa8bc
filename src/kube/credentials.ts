import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'

/** What a connection and a request need to be let in. */
export interface Credentials {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  readonly servername: string | undefined
  readonly rejectUnauthorized: boolean
  /** The value of the Authorization header, or null. */
  readonly authorization: string | null
  /** The user in whose name all is done (`as` in a kubeconfig). */
  readonly impersonate?: string | undefined
}

export interface CredentialSource {
  readonly server: URL
  /** Reads them afresh; `force` also forgets what the source itself keeps (a cached token). */
  read(force: boolean): Promise<Credentials>
}

/** The part that belongs to the connection, as node:tls wants it. */
export function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: Credentials): TlsOptions {
  const given = Object.entries({ ca, cert, key, servername }).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), rejectUnauthorized }
}

export type TlsOptions = { -readonly [Part in 'ca' | 'cert' | 'key' | 'servername']?: string } & {
  rejectUnauthorized: boolean
}

/** Whether connections made with the one are as good as made with the other. */
export function sameTls(a: Credentials, b: Credentials): boolean {
  return JSON.stringify(tlsOf(a)) === JSON.stringify(tlsOf(b))
}

/** Whether the API server takes the one for the other. */
export function isSameLogin(a: Credentials, b: Credentials): boolean {
  return a.authorization === b.authorization && a.impersonate === b.impersonate && sameTls(a, b)
}

/** No cluster, or one that can't be reached with what is configured. The message is for the user, one sentence. */
export class ClusterNotFound extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ClusterNotFound'
  }
}

/** What an HTTP header may hold; undici refuses every request with another one, and nobody hears of it from the server. */
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/

/** Answers the same credentials; throws ClusterNotFound on such as no request or connection can be made with. */
export function usable(credentials: Credentials): Credentials {
  const { authorization, impersonate, ca, cert, key } = credentials
  if (!headerText.test(authorization ?? ''))
    throw new ClusterNotFound("the token can't be used: it has characters that no token has; write it anew")
  if (!headerText.test(impersonate ?? ''))
    throw new ClusterNotFound("the user to act as can't be used: a header can't hold its name")
  try {
    const given = Object.entries({ ca, cert, key }).filter(([, value]) => value !== undefined)
    createSecureContext(Object.fromEntries(given))
    // A CA that is none is passed over without a word, and then nobody is trusted.
    if (ca !== undefined) firstIn(ca)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ClusterNotFound(`the CA, or the client's certificate or key, is no PEM that can be used: ${why}`, {
      cause,
    })
  }
  return credentials
}

/** Throws on what is none. */
function firstIn(pem: string): X509Certificate {
  return new X509Certificate(pem)
}

/** Throws ClusterNotFound on what is no address of a server. */
export function urlOf(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new ClusterNotFound(`the server "${text}" is no URL; write https://HOST:PORT`)
}
