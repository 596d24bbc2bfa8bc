import type { FastifyInstance } from 'fastify'

/** The port can't be opened. The message is for the user, one sentence. */
export class CannotListen extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CannotListen'
  }
}

export interface Place {
  readonly host: string
  readonly port: number
}

/** Every address of both families; Node takes the IPv4 half of it as well. */
const everyAddress = '::'
const everyIpv4Address = '0.0.0.0'

/** Opens the port, and answers its URL; rejects with CannotListen. A kernel without IPv6 opens the IPv4 half of `::`. */
export async function listen(server: Pick<FastifyInstance, 'listen'>, { host, port }: Place): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    if (host !== everyAddress || !isWithoutIpv6(cause))
      throw new CannotListen(sentenceOf(cause, { host, port }), { cause })
    return listen(server, { host: everyIpv4Address, port })
  }
}

function isWithoutIpv6(cause: unknown): boolean {
  return ['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(codeOf(cause))
}

function sentenceOf(cause: unknown, { host, port }: Place): string {
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return `port ${port} is in use; free it, or choose another one with --port`
    case 'EACCES':
      return `port ${port} may not be opened by this user; choose one from 1024 on with --port`
    case 'EADDRNOTAVAIL':
      return `--host ${host} is no address of this machine; write one that is, or leave it out for all`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `--host ${host} is a name that can't be resolved; write an address, or leave it out for all`
    default:
      return `port ${port} can't be opened at ${host}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

function codeOf(cause: unknown): string {
  return String((cause as { code?: unknown }).code)
}
