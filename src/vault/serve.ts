import type { Duplex } from 'node:stream'
import { isPlain, NotPlain, type PlainOf } from '../base/plain.ts'
import {
  greeting,
  PROTOCOL_VERSION,
  settledNote,
  vaultCall,
  type VaultCall,
  type VaultRefusal,
  type VaultReply,
} from './envelope.ts'
import { FrameReader, Unreadable, writeFrame } from './frames.ts'
import type { SettledUnits, Vault } from './protocol.ts'

// Large enough that a frame costs little per reply, small enough that the host can commit while the vault goes on.
const REPLIES_PER_FRAME_MAX = 16

/**
 * Answers calls from the host, many to a frame: one is sent when it is full, when nothing else is under way, or when a turn of
 * the event loop has brought no further reply, so that a slow call holds nobody up. Whatever else comes is refused, and said.
 */
export function serve(vault: Vault, socket: Duplex): void {
  const reader = new FrameReader()
  const desk = { isGreeted: false, lastId: 0 }
  let outbox: VaultReply[] = []
  let underWay = 0
  let isWatching = false
  const flush = (): void => {
    if (outbox.length > 0) socket.write(writeFrame(outbox))
    outbox = []
  }
  const watch = (seen: number): void => {
    isWatching = outbox.length > 0
    if (!isWatching) return
    if (outbox.length === seen) flush()
    const now = outbox.length
    setImmediate(() => watch(now))
  }
  const send = (reply: VaultReply): void => {
    underWay--
    outbox.push(reply)
    if (underWay === 0 || outbox.length >= REPLIES_PER_FRAME_MAX) return flush()
    if (!isWatching) watch(0)
  }
  socket.on('data', (chunk: Buffer) => {
    for (const message of reader.push(chunk)) {
      const taken =
        desk.isGreeted && isPlain(settledNote, message) ? told(vault, message) : take(desk, message)
      if (taken === undefined) continue
      underWay++
      if ('refused' in taken) send(taken)
      else void answer(vault, taken).then(send)
    }
  })
}

/** Why what became of units was not taken. */
function told(vault: Vault, { settled }: PlainOf<typeof settledNote>): VaultRefusal | undefined {
  try {
    // It is read by its own shape.
    vault.settled(settled as SettledUnits)
    return undefined
  } catch (error) {
    if (error instanceof NotPlain) return { refused: error.message }
    throw error
  }
}

/** The call that a message is, or why it is none; undefined for a greeting. */
function take(
  desk: { isGreeted: boolean; lastId: number },
  message: unknown,
): VaultCall | VaultRefusal | undefined {
  if (message instanceof Unreadable) return { refused: message.why }
  if (!desk.isGreeted && isPlain(greeting, message)) {
    desk.isGreeted = true
    return undefined
  }
  const isCall = isPlain(vaultCall, message)
  if (!desk.isGreeted) return { ...(isCall ? { id: message.id } : {}), refused: NOT_GREETED }
  if (!isCall) return { refused: `a call${vaultCall.problem(message)}` }
  const { id } = message
  if (id <= desk.lastId) return { refused: `the id ${id} of a call is not above that of the one before` }
  desk.lastId = id
  return message
}

const NOT_GREETED = `the vault speaks version ${PROTOCOL_VERSION} of its protocol, and the host has not said that it does`

async function answer(vault: Vault, { id, method, input }: VaultCall): Promise<VaultReply> {
  try {
    // Each method reads what it is given by its own shape.
    const run = vault[method] as (input: unknown) => Promise<unknown>
    return { id, output: (await run(input)) ?? null }
  } catch (error) {
    if (error instanceof NotPlain) return { id, refused: error.message }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
