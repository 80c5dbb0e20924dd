import type { Duplex } from 'node:stream'
import { FrameReader, writeFrame } from './frames.ts'
import type { Vault } from './protocol.ts'

export type VaultMethod = keyof Vault
export type VaultCall = { readonly id: number; readonly method: VaultMethod; readonly input?: unknown }
/** `bug` is the text of an exception that is no answer: the host logs it and answers 500. */
export type VaultReply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly bug: string }

// Large enough that a frame costs little per reply, small enough that the host can commit while the vault goes on.
const REPLIES_PER_FRAME_MAX = 16

/**
 * Answers calls from the host, many to a frame: one is sent when it is full, when nothing else is under way, or when a turn of
 * the event loop has brought no further reply, so that a slow call holds nobody up.
 */
export function serve(vault: Vault, socket: Duplex): void {
  const reader = new FrameReader()
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
    // The host is ours and sends calls.
    for (const call of reader.push(chunk) as readonly VaultCall[]) {
      underWay++
      void answer(vault, call).then(send)
    }
  })
}

async function answer(vault: Vault, { id, method, input }: VaultCall): Promise<VaultReply> {
  try {
    // Each method takes what the host's half of this same link was given for it.
    const run = vault[method] as (input: unknown) => Promise<unknown>
    return { id, output: (await run(input)) ?? null }
  } catch (error) {
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
