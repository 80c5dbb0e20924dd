import { Socket } from 'node:net'
import pg from 'pg'
import { POOL_NAME } from './pool.ts'
import type { Servers } from './servers.ts'
import { type Reading, type ServerTimeline, serverTimelineOf } from './server-timeline.ts'

type ServerWatch = {
  /** Resolves when a server that takes writes was found, or when each server was asked. */
  readonly first: Promise<void>
  readonly stop: () => void
}

/** The interval of the checks which server is the primary. */
export const LOOK_MS = 1_000

/** In ticks without a byte of an answer: the time while this process is suspended does not count. */
const SILENT_TICKS_MAX = 3

type Looked =
  | { readonly kind: 'primary'; readonly server: ServerTimeline }
  /** The server takes no writes, could not be reached, or was not asked yet. */
  | { readonly kind: 'none' }

type Asked = {
  link: { client: pg.Client; socket: Socket } | undefined
  look: Promise<void> | undefined
  ticks: number
  /** The bytes that had come over the link at the last tick. */
  heard: number
  looked: Looked
}

/**
 * Asks every server of an address from time to time whether it is the primary, over separate connections: a connection
 * to a dead machine reports nothing, and a query on it would wait for the whole time limit of a statement. The primary
 * with the highest timeline is used. If the used server does not answer, its connections are closed. Waiting queries
 * then fail with an unknown outcome, and later ones find another server or a working connection.
 */
export function watchServers(
  servers: Servers,
  {
    everyMs,
    name = POOL_NAME,
    isStarting = () => false,
    ...reading
  }: Reading & {
    readonly everyMs: number
    readonly name: string | undefined
    /** Whether nothing is served yet: a start then waits for its only server, within the time limits of connecting. */
    readonly isStarting?: () => boolean
  },
): ServerWatch {
  const asked = new Map<string, Asked>(
    servers.addresses.map((address) => [
      address,
      { link: undefined, look: undefined, ticks: 0, heard: 0, looked: { kind: 'none' } },
    ]),
  )
  let isStopped = false

  const drop = (one: Asked): void => {
    one.link?.socket.destroy()
    one.link = undefined
    one.look = undefined
    one.looked = { kind: 'none' }
  }
  const look = async (address: string, one: Asked): Promise<void> => {
    const isNew = one.link === undefined
    const link = one.link ?? linkTo(address, name)
    one.link = link
    try {
      if (isNew) await link.client.connect()
      const server = await serverTimelineOf(link.client, reading)
      if (one.link !== link) return
      one.looked = server === undefined ? { kind: 'none' } : { kind: 'primary', server }
      one.look = undefined
      // The name of the used server may lead to another one by now, which only a new connection meets.
      if (address === servers.current() && (server === undefined || servers.isBehind(server))) drop(one)
    } catch {
      // Readers and writers report the error themselves.
      if (one.link === link) drop(one)
    }
    if (!isStopped) choose()
  }
  const choose = (): void => {
    const server = currentTimeline()
    let best = servers.current()
    let most = server === undefined || servers.isBehind(server) ? -1 : server.timeline
    for (const [address, { looked }] of asked) {
      if (looked.kind === 'none' || looked.server.timeline <= most || servers.isBehind(looked.server))
        continue
      best = address
      most = looked.server.timeline
    }
    if (best !== servers.current()) servers.use(best)
  }
  const currentTimeline = (): ServerTimeline | undefined => {
    const looked = asked.get(servers.current())?.looked
    return looked?.kind === 'primary' ? looked.server : undefined
  }
  const begin = (address: string, one: Asked): Promise<void> => {
    one.ticks = 0
    one.heard = bytesOf(one)
    one.look = look(address, one)
    return one.look
  }
  const tick = (): void => {
    for (const [address, one] of asked) {
      if (one.look === undefined) {
        void begin(address, one)
        continue
      }
      // A slow server may need several checks for a new connection, which takes several answers.
      one.ticks = bytesOf(one) > one.heard ? 0 : one.ticks + 1
      one.heard = bytesOf(one)
      if (one.ticks < SILENT_TICKS_MAX) continue
      drop(one)
      const isAwaited = isStarting() && servers.addresses.length === 1
      if (address === servers.current() && !isAwaited) servers.breakOff('the server does not answer')
    }
  }
  const timer = setInterval(tick, everyMs)
  timer.unref()
  const first = Promise.all([...asked].map(async ([address, one]) => await begin(address, one))).then(
    () => undefined,
  )
  return {
    first,
    stop: () => {
      isStopped = true
      clearInterval(timer)
      for (const one of asked.values()) drop(one)
    },
  }
}

function bytesOf({ link }: Asked): number {
  return link?.socket.bytesRead ?? 0
}

function linkTo(address: string, name: string): { readonly client: pg.Client; readonly socket: Socket } {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: address,
    application_name: name,
    stream: () => socket,
  })
  // A connection that breaks is reported by the check that meets it.
  client.on('error', () => undefined)
  return { client, socket }
}
