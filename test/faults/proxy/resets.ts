import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Breaks connections as a host does that is gone: with a reset, not with an orderly end. */
export class Resets {
  /** By the port of the client: under TLS only the socket below can be reset. */
  readonly #sockets = new Map<number, Socket>()

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const { remotePort = 0 } = socket
      this.#sockets.set(remotePort, socket)
      socket.on('close', () => this.#sockets.delete(remotePort))
    })
  }

  /** The connection of this answer, whatever was written of it. */
  reset(response: ServerResponse): void {
    this.#sockets.get(response.socket?.remotePort ?? 0)?.resetAndDestroy()
    response.destroy()
  }
}
