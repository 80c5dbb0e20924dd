import { Socket } from 'node:net'
import type { ServerTimeline } from './server-timeline.ts'

/** Where to connect: all pools of a process share one, so that what one has learned the others need not. */
export type Servers = {
  readonly addresses: readonly string[]
  readonly current: () => string
  /** This one could not be used; the next is tried, unless somebody did so already. */
  readonly pass: (address: string) => void
  /**
   * From now on this one is used. Connections to any other are broken off: a server that was left may hold them for
   * ever.
   */
  readonly use: (address: string) => void
  /** Whatever waits for an answer over connections of before ends without one, and idle ones are not used again. */
  readonly breakOff: (why: string) => void
  /** For a connection to the current server. */
  readonly socket: () => Socket
  /**
   * Whether a server fell behind one that was met: an old primary that has not been told so yet, or one of another
   * cluster, whose timelines say nothing of this one. The newest is remembered, and once it is met every connection of
   * before is broken off: no two connections are of servers that stand differently.
   *
   * @param own  of the connection that the server was met on
   */
  readonly isBehind: (server: ServerTimeline, own?: Socket) => boolean
  /** Of the newest server that was met; the same object for as long as there is no newer one. */
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
      newest = server
      for (const socket of sockets.keys())
        if (socket !== own) socket.destroy(new Error('another server has become the primary'))
      return false
    },
    newest: () => newest,
  }
}
