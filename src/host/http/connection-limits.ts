import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { unmapped } from '../../trusted/charter/ip-allowlist.ts'
import { networkOf } from './address-network.ts'

export type ConnectionLimits = {
  /** Open at the same time. */
  readonly connectionsMax: number
  /** Of one place: an IPv4 address, or a network of IPv6. Trusted proxies stand for many, and are not bounded by this. */
  readonly perAddressMax: number
}

/**
 * Bounds how many connections are open. Where there are too many, the one that has waited for longest without a request that is being
 * answered makes room for the new one: of the same place, where that has too many, else of the place that has most. So nobody keeps the
 * others out by holding connections and saying nothing, or by saying it slowly. Where all are busy, the new one is closed.
 */
export function limitConnections(
  server: Server,
  { connectionsMax, perAddressMax }: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): void {
  const places = new Map<string, Place>()
  let open = 0

  server.on('connection', (socket) => {
    const address = unmapped(socket.remoteAddress ?? '')
    const name = networkOf(address)
    const place = places.get(name) ?? {
      name,
      isBounded: !isTrustedProxy(address),
      idle: new Set(),
      busy: new Set(),
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
  })

  // Idle until the whole of a request has come: who sends one byte by byte is no better than who sends none.
  server.on('request', (request, response) => {
    const { socket } = request
    const place = placeOf(places, socket)
    if (place === undefined) return
    const begin = (): void => {
      if (place.idle.delete(socket)) place.busy.add(socket)
    }
    if (request.complete) begin()
    else request.once('end', begin)
    response.once('close', () => {
      // At the end of the row: it has only begun to wait.
      if (place.busy.delete(socket) || place.idle.delete(socket)) place.idle.add(socket)
    })
  })

  function makesRoom(place: Place | undefined): boolean {
    const [longest] = place?.idle ?? []
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
}

/** In the order in which they began to wait. */
type Place = {
  readonly name: string
  readonly isBounded: boolean
  readonly idle: Set<Socket>
  readonly busy: Set<Socket>
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

/** Of those that have somebody who waits; all are looked at, and there are as many only when the limit was met. */
function largest(places: ReadonlyMap<string, Place>): Place | undefined {
  let found: Place | undefined
  for (const place of places.values())
    if (place.idle.size > 0 && (found === undefined || countOf(place) > countOf(found))) found = place
  return found
}
