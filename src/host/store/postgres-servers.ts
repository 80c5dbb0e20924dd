import { Socket } from 'node:net'
import type { Standing } from './postgres-standing.ts'

/** Where to connect: all pools of a process share one, so that what one has learned the others need not. */
export type Servers = {
  readonly addresses: readonly string[]
  readonly current: () => string
  /** This one could not be used; the next is tried, unless somebody did so already. */
  readonly pass: (address: string) => void
  /** From now on this one is used. Connections to any other are broken off: a server that was left may hold them for ever. */
  readonly use: (address: string) => void
  /** Whatever waits for an answer over connections of before ends without one, and idle ones are not used again. */
  readonly breakOff: (why: string) => void
  /** For a connection to the current server. */
  readonly socket: () => Socket
  /** Whether a server fell behind one that was used: an old primary that has not been told so yet. The newest is remembered. */
  readonly isBehind: (standing: Standing) => boolean
}

export function servers(addresses: readonly string[]): Servers {
  let at = 0
  let newest: Standing | undefined
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
    isBehind: ({ system, timeline }) => {
      if (newest?.system === system && timeline < newest.timeline) return true
      newest = { system, timeline }
      return false
    },
  }
}
