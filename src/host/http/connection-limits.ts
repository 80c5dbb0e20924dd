import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Linked, LinkedList } from '../../trusted/base/linked-list.ts'
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
  const connections = new Map<Socket, Connection>()

  const accept = (socket: Socket): void => {
    const address = unmapped(socket.remoteAddress ?? '')
    const name = networkOf(address)
    const place = places.get(name) ?? {
      name,
      isBounded: !isTrustedProxy(address),
      open: 0,
      idle: new LinkedList(),
      busy: new LinkedList(),
    }
    if (place.isBounded && place.open >= perAddressMax && !makesRoom(place)) return void socket.destroy()
    if (connections.size >= connectionsMax && !makesRoom(largest(places))) return void socket.destroy()
    const connection = { socket, place, answer: undefined, previous: undefined, next: undefined }
    places.set(name, place)
    place.open++
    place.idle.insert(connection)
    connections.set(socket, connection)
    socket.once('close', () => leave(connection))
  }

  // A connection is idle until a whole request has arrived: a request that arrives byte by byte does not count.
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection === undefined) return
    const begin = (): void => {
      if (connections.has(request.socket)) move(connection, response)
    }
    if (request.complete) begin()
    else request.once('end', begin)
    response.once('close', () => {
      // A client may send its next request before it has read the answer.
      if (connection.answer !== undefined && connection.answer !== response) return
      // At the end of the row: it has only begun to wait.
      if (connections.has(request.socket)) move(connection, undefined)
    })
  }

  function makesRoom(place: Place | undefined): boolean {
    const longest = place === undefined ? undefined : longestIdle(place)
    if (longest === undefined) return false
    leave(longest)
    longest.socket.destroy()
    return true
  }

  /** A connection that made room left when it was told to, and closes later. */
  function leave(connection: Connection): void {
    if (!connections.delete(connection.socket)) return
    const { place } = connection
    listOf(connection).remove(connection)
    place.open--
    if (place.open === 0) places.delete(place.name)
  }

  return (server) => {
    server.on('connection', accept)
    server.on('request', serve)
  }
}

interface Connection extends Linked<Connection> {
  readonly socket: Socket
  readonly place: Place
  /** To the last request, while the connection is busy. */
  answer: ServerResponse | undefined
}

type Place = {
  readonly name: string
  readonly isBounded: boolean
  open: number
  /** In the order in which they began to wait. */
  readonly idle: LinkedList<Connection>
  /** In the order in which they became busy. */
  readonly busy: LinkedList<Connection>
}

function listOf({ place, answer }: Connection): LinkedList<Connection> {
  return answer === undefined ? place.idle : place.busy
}

/** To the end of the busy ones, or without an answer of the idle ones. A busy one keeps its place among the busy. */
function move(connection: Connection, answer: ServerResponse | undefined): void {
  const before = listOf(connection)
  const isBusyStill = connection.answer !== undefined && answer !== undefined
  connection.answer = answer
  if (isBusyStill) return
  before.remove(connection)
  listOf(connection).insert(connection)
}

/** The connection to close for a new one. */
function longestIdle({ idle, busy }: Place): Connection | undefined {
  if (idle.first !== undefined) return idle.first
  for (let connection = busy.first; connection !== undefined; connection = connection.next)
    if (connection.answer?.writableEnded === true) return connection
  return undefined
}

/** The largest network with such a connection. The linear search runs only when the limit was reached. */
function largest(places: ReadonlyMap<string, Place>): Place | undefined {
  let found: Place | undefined
  for (const place of places.values())
    if ((found === undefined || place.open > found.open) && longestIdle(place) !== undefined) found = place
  return found
}
