import type { Duplex } from 'node:stream'
import { InFlight } from '../base/in-flight.ts'
import type { Pace } from '../base/work.ts'
import { isPlain, NotPlain, type PlainOf } from '../base/plain.ts'
import type { Unit } from '../catalogue/unit.ts'
import {
  greeting,
  PROTOCOL_VERSION,
  settledNote,
  vaultCall,
  type VaultCall,
  type VaultRefusal,
  type VaultReply,
} from '../../protocol/envelope.ts'
import { FrameSender, lengthOf, LONG_CHARACTERS } from '../../protocol/frame-sender.ts'
import { FrameReader, Unreadable } from '../../protocol/frames.ts'
import type { SettledUnits, Vault } from '../../protocol/vault.ts'

// Large enough for a low cost per reply, small enough that the host can commit while the vault continues.
const REPLIES_PER_FRAME_MAX = 16

/** The bound on calls under way before the vault stops reading: in bytes, with a minimum for each call. */
const UNDER_WAY_BYTES_MAX = 64 * 1024 * 1024
const CALL_BYTES = 16 * 1024
/** The bound on unread answers, in bytes, before the vault stops reading. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024

/**
 * Answers calls from the host, many to a frame: one is sent when it is full, when nothing else is under way, or when a
 * turn of the event loop has brought no further reply, so that a slow call holds nobody up. Where expensive work takes
 * turns, a turn is long, and each one ends with a frame. A long answer goes in pieces, between the short ones. Other
 * input is refused with a message. The vault stops reading from a host that sends faster than it is answered, or does
 * not read its answers, until it has caught up.
 */
export function serve(vault: Vault, socket: Duplex, pace: Pick<Pace, 'isBusy'> = IDLE): void {
  const reader = new FrameReader()
  const session: Session = { isGreeted: false, calls: new InFlight() }
  const sender = new FrameSender(socket, tooLong)
  const long = new LongUnits()
  let outbox: VaultReply[] = []
  let underWay = 0
  let underWayBytes = 0
  let isWatching = false
  const flush = (): void => {
    const short: VaultReply[] = []
    for (const reply of outbox) {
      const characters = lengthOf(reply)
      if (characters <= LONG_CHARACTERS && !long.isWaiting(reply)) short.push(reply)
      else {
        const sent = long.put(reply)
        sender.sendInPieces(reply, characters, () => {
          sent()
          listenOrNot()
        })
      }
    }
    outbox = []
    sender.send(short)
  }
  const watch = (seen: number): void => {
    isWatching = outbox.length > 0
    if (!isWatching) return
    if (outbox.length === seen || pace.isBusy) flush()
    const now = outbox.length
    setImmediate(() => watch(now))
  }
  const listenOrNot = (): void => {
    const unread = socket.writableLength + sender.unsent
    const hasRoom = underWayBytes < UNDER_WAY_BYTES_MAX && unread < UNREAD_BYTES_MAX
    if (!hasRoom) socket.pause()
    else if (socket.isPaused()) socket.resume()
  }
  const send = (reply: VaultReply, bytes: number): void => {
    underWay--
    underWayBytes -= bytes
    outbox.push(reply)
    if (underWay === 0 || outbox.length >= REPLIES_PER_FRAME_MAX) flush()
    else if (!isWatching) watch(0)
    if (socket.isPaused()) listenOrNot()
  }
  socket.on('data', (chunk: Buffer) => {
    const arrived = reader.kept + chunk.length
    const messages = reader.push(chunk)
    const bytes = CALL_BYTES + (arrived - reader.kept) / messages.length
    for (const message of messages) {
      const taken =
        session.isGreeted && isPlain(settledNote, message) ? told(vault, message) : take(session, message)
      if (taken === undefined) continue
      underWay++
      underWayBytes += bytes
      if ('refused' in taken) send(taken, bytes)
      else {
        const { id } = taken
        session.calls.put(id, true)
        void answer(vault, taken).then((reply) => {
          session.calls.take(id)
          send(reply, bytes)
        })
      }
    }
    listenOrNot()
  })
  socket.on('drain', listenOrNot)
}

const IDLE = { isBusy: false }

type Session = { isGreeted: boolean; readonly calls: InFlight<true> }

/**
 * The units in long replies that have not been sent whole, by organization. A later unit may build on such a one, for
 * example on the sums of a limit, and would be refused if the host committed it first. So it waits behind it.
 */
class LongUnits {
  readonly #waiting = new Map<string, number>()

  isWaiting(reply: VaultReply): boolean {
    if (this.#waiting.size === 0) return false
    const owner = ownerOf(reply)
    return owner !== undefined && this.#waiting.has(owner)
  }

  /** @returns  to be called when it was sent */
  put(reply: VaultReply): () => void {
    const owner = ownerOf(reply)
    if (owner === undefined) return () => {}
    this.#waiting.set(owner, (this.#waiting.get(owner) ?? 0) + 1)
    return () => {
      const left = (this.#waiting.get(owner) ?? 0) - 1
      if (left > 0) this.#waiting.set(owner, left)
      else this.#waiting.delete(owner)
    }
  }
}

/** The organization of the unit in a reply. */
function ownerOf(reply: VaultReply): string | undefined {
  if (!('output' in reply) || typeof reply.output !== 'object' || reply.output === null) return undefined
  // The vault has made it: where there is a unit, it is one.
  const { unit } = reply.output as { readonly unit?: Unit }
  return unit?.activity?.row.organizationId ?? unit?.charters[0]?.organizationId
}

function tooLong(reply: VaultReply): VaultReply | undefined {
  return reply.id === undefined
    ? undefined
    : { id: reply.id, bug: 'the answer is longer than a frame may be' }
}

/** The reason why a report on units was refused. */
function told(vault: Vault, { settled }: PlainOf<typeof settledNote>): VaultRefusal | undefined {
  try {
    // It is read by its own shape.
    vault.settled(settled as SettledUnits)
    return undefined
  } catch (error) {
    // The report has no answer. Units without a report stay under way, and requests that write the same objects are not
    // decided.
    return { refused: error instanceof NotPlain ? error.message : `settled: ${String(error)}` }
  }
}

/** The call in a message, or the reason of a refusal; undefined for a greeting. */
function take(session: Session, message: unknown): VaultCall | VaultRefusal | undefined {
  if (message instanceof Unreadable) return { refused: message.why }
  if (!session.isGreeted && isPlain(greeting, message)) {
    session.isGreeted = true
    return undefined
  }
  const isCall = isPlain(vaultCall, message)
  if (!session.isGreeted) return { ...(isCall ? { id: message.id } : {}), refused: NOT_GREETED }
  if (!isCall) return { refused: `a call${vaultCall.problem(message)}` }
  const { id } = message
  if (session.calls.get(id) !== undefined)
    return { refused: `the id ${id} is that of another call under way` }
  return message
}

const NOT_GREETED = `the vault speaks version ${PROTOCOL_VERSION} of its protocol, and the host has not said that it does`

async function answer(vault: Vault, { id, method, input }: VaultCall): Promise<VaultReply> {
  try {
    // Each method checks its input with its own shape.
    const run = vault[method] as (input: unknown) => Promise<unknown>
    return { id, output: (await run(input)) ?? null }
  } catch (error) {
    if (error instanceof NotPlain) return { id, refused: error.message }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
