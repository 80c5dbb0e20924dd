import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unmapped } from '../../trusted/charter/ip-allowlist.ts'
import { networkOf } from './address-network.ts'

export type ConnectionLimits = {
  /** The highest number of open connections. */
  readonly connectionsMax: number
  /** The highest number for one IPv4 address or IPv6 network. Trusted proxies, which carry many clients, are exempt. */
  readonly perAddressMax: number
}

/**
 * Bounds the number of open connections. Above the limit, the longest-idle connection is closed for the new one: a
 * connection of the same network, where that has too many, otherwise of the network with the most. A client that has
 * not read its whole answer makes room too, where no connection is idle. So idle or slow connections cannot lock other
 * clients out. Where all connections are busy, the new one is closed.
 *
 * @returns  a function that is called with each server; the limits are for all of them together, because they share the
 *           descriptors of the process
 */
export function connectionLimiter(
  { connectionsMax, perAddressMax }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): (server: Server) => void {
  const places = new Map<string, Place>()
  let open = 0

  const accept = (socket: Socket): void => {
    const address = unmapped(socket.remoteAddress ?? '')
    const name = networkOf(address)
    const place = places.get(name) ?? {
      name,
      isBounded: !isTrustedProxy(address),
      idle: new Set(),
      busy: new Map(),
    }
    if (place.isBounded && countOf(place) >= perAddressMax && !makesRoom(place)) return void socket.destroy()
    if (open >= connectionsMax && !makesRoom(largest(places))) return void socket.destroy()
    places.set(name, place)
    place.idle.add(socket)
    open++
    socket.once('close', () => {
      // A connection that made room was counted off when it was told to.
      if (!isOf(place, socket)) return
      leave(place, socket)
    })
  }

  // A connection is idle until a whole request has arrived: a request that arrives byte by byte does not count.
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    const place = placeOf(places, socket)
    if (place === undefined) return
    const begin = (): void => {
      if (!isOf(place, socket)) return
      place.idle.delete(socket)
      place.busy.set(socket, response)
    }
    if (request.complete) begin()
    else request.once('end', begin)
    response.once('close', () => {
      const last = place.busy.get(socket)
      // A client may send its next request before it has read the answer.
      if (last !== undefined && last !== response) return
      // At the end of the row: it has only begun to wait.
      if (place.busy.delete(socket) || place.idle.delete(socket)) place.idle.add(socket)
    })
  }

  function makesRoom(place: Place | undefined): boolean {
    const longest = place === undefined ? undefined : longestIdle(place)
    if (place === undefined || longest === undefined) return false
    leave(place, longest)
    longest.destroy()
    return true
  }

  function leave(place: Place, socket: Socket): void {
    place.idle.delete(socket)
    place.busy.delete(socket)
    open--
    if (countOf(place) === 0) places.delete(place.name)
  }

  return (server) => {
    server.on('connection', accept)
    server.on('request', serve)
  }
}

type Place = {
  readonly name: string
  readonly isBounded: boolean
  /** In the order in which they began to wait. */
  readonly idle: Set<Socket>
  /** With the answer to the last request, in the order in which the connections became busy. */
  readonly busy: Map<Socket, ServerResponse>
}

/** The connection to close for a new one. */
function longestIdle({ idle, busy }: Place): Socket | undefined {
  const [longest] = idle
  if (longest !== undefined) return longest
  for (const [socket, answer] of busy) if (answer.writableEnded) return socket
  return undefined
}

function countOf({ idle, busy }: Place): number {
  return idle.size + busy.size
}

function isOf({ idle, busy }: Place, socket: Socket): boolean {
  return idle.has(socket) || busy.has(socket)
}

function placeOf(places: ReadonlyMap<string, Place>, socket: Socket): Place | undefined {
  const place = places.get(networkOf(unmapped(socket.remoteAddress ?? '')))
  return place !== undefined && isOf(place, socket) ? place : undefined
}

/** The largest network with such a connection. The linear search runs only when the limit was reached. */
function largest(places: ReadonlyMap<string, Place>): Place | undefined {
  let found: Place | undefined
  for (const place of places.values())
    if ((found === undefined || countOf(place) > countOf(found)) && longestIdle(place) !== undefined)
      found = place
  return found
}
