import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/**
 * Tells when nothing is on its way any more between the clients and the server of this process, without a guess at how
 * long that takes: every byte that one end has written is read at the other, no request waits for its answer, and some
 * turns of the event loop have brought nothing new. What is left then waits for the clock.
 */

const quietTurns = 4
/** A request that hangs on the clock moves no byte: after so many turns it is believed to. */
const hangingTurns = 100
/** Real time in which silence has to come; a bug would let it never come. */
const limitMs = 20_000

const clients = new Set<Socket>()
const servers = new Set<Socket>()
const requests = new Set<object>()
let changes = 0

subscribe('net.client.socket', (message) => keep(clients, message))
subscribe('net.server.socket', (message) => keep(servers, message))
subscribe('undici:request:create', (message) => started(requestOf(message)))
subscribe('undici:request:headers', (message) => {
  const request = requestOf(message)
  // A watch has its answer when it is open.
  if (String(request.path).includes('watch=true')) ended(request)
})
for (const end of ['trailers', 'error']) subscribe(`undici:request:${end}`, (message) => ended(requestOf(message)))

function keep(sockets: Set<Socket>, message: unknown): void {
  const { socket } = message as { readonly socket: Socket }
  changes += 1
  sockets.add(socket)
  socket.once('close', () => {
    changes += 1
    sockets.delete(socket)
  })
}

function requestOf(message: unknown): { readonly path?: string } {
  return (message as { readonly request: { readonly path?: string } }).request
}

function started(request: object): void {
  changes += 1
  requests.add(request)
}

function ended(request: object): void {
  changes += 1
  requests.delete(request)
}

/** Resolves when nothing is on its way; rejects when that does not come. `port` is the server's. */
export async function quiet(port: number): Promise<void> {
  const deadline = performance.now() + limitMs
  let seen = ''
  for (let turns = 0; !isQuiet(port, turns); ) {
    await new Promise((resolve) => setImmediate(resolve))
    const now = `${changes} ${movedOf(port)}`
    turns = now === seen ? turns + 1 : 0
    seen = now
    if (performance.now() > deadline) throw new Error(`not quiet after ${limitMs} ms: ${JSON.stringify([...requests])}`)
  }
}

function isQuiet(port: number, turns: number): boolean {
  if (turns < quietTurns) return false
  return arrived(port) && (requests.size === 0 || turns >= hangingTurns)
}

/** Whether each end has read what the other has written. */
function arrived(port: number): boolean {
  const byPort = new Map<number | undefined, Socket>()
  for (const socket of clients) {
    if (socket.connecting) return false
    if (socket.remotePort === port) byPort.set(socket.localPort, socket)
  }
  const accepted = [...servers].filter(({ localPort }) => localPort === port)
  return accepted.length === byPort.size && accepted.every((server) => isLevel(server, byPort.get(server.remotePort)))
}

function isLevel(server: Socket, client: Socket | undefined): boolean {
  return server.bytesWritten === client?.bytesRead && client.bytesWritten === server.bytesRead
}

function movedOf(port: number): number {
  let moved = 0
  for (const socket of servers) if (socket.localPort === port) moved += socket.bytesRead + socket.bytesWritten
  for (const socket of clients) if (socket.remotePort === port) moved += socket.bytesRead + socket.bytesWritten
  return moved
}
