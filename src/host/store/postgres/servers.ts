import { Socket } from 'node:net'
import type { ServerTimeline } from './server-timeline.ts'

/** The current server: all pools of a process share it, so that a finding of one pool serves the others. */
export type Servers = {
  readonly addresses: readonly string[]
  readonly current: () => string
  /** Reports that this server could not be used; the next one is tried, unless another caller has switched already. */
  readonly pass: (address: string) => void
  /**
   * Uses this server from now on. Connections to any other are closed, because an abandoned server may hold them for
   * ever.
   */
  readonly use: (address: string) => void
  /** Ends all calls on earlier connections without an answer, and keeps idle ones from being used again. */
  readonly breakOff: (why: string) => void
  /** A socket for a connection to the current server. */
  readonly socket: () => Socket
  /**
   * Whether a server is behind one that was met before: an old primary that does not know of the promotion yet, or a
   * server of another cluster, whose timelines cannot be compared. The newest server is remembered. When a newer one is
   * met, every earlier connection is closed, so no two connections lead to servers of different timelines.
   *
   * @param own  of the connection to the server
   */
  readonly isBehind: (server: ServerTimeline, own?: Socket) => boolean
  /** The newest server that was met; the same object until a newer one is met. */
  readonly newest: () => ServerTimeline | undefined
}

export function servers(addresses: readonly string[]): Servers {
  let at = 0
  let newest: ServerTimeline | undefined
  const sockets = new Map<Socket, string>()
  const current = (): string => addresses[at % addresses.length] ?? ''
  const breakOff = (why: string, isMeant: (address: string) => boolean): void => {
    for (const [socket, address] of sockets) if (isMeant(address)) socket.destroy(new Error(why))
  }
  return {
    addresses,
    current,
    pass: (address) => {
      if (address === current()) at += 1
    },
    use: (address) => {
      at = Math.max(addresses.indexOf(address), 0)
      breakOff('another server has become the primary', (one) => one !== address)
    },
    breakOff: (why) => breakOff(why, () => true),
    socket: () => {
      const socket = new Socket()
      sockets.set(socket, current())
      socket.on('close', () => sockets.delete(socket))
      return socket
    },
    isBehind: (server, own) => {
      if (newest !== undefined && newest.system !== server.system) return true
      if (newest !== undefined && server.timeline <= newest.timeline) return server.timeline < newest.timeline
      const isFirst = newest === undefined
      newest = server
      // Each connection is checked before its use, so before the first server none is in use.
      if (isFirst) return false
      for (const socket of sockets.keys())
        if (socket !== own) socket.destroy(new Error('another server has become the primary'))
      return false
    },
    newest: () => newest,
  }
}
