import type { Duplex } from 'node:stream'
import { FrameReader, writeFrame } from './frames.ts'
import type { Vault } from './protocol.ts'

export type VaultMethod = keyof Vault
export type VaultCall = { readonly id: number; readonly method: VaultMethod; readonly input?: unknown }
/** `bug` is the text of an exception that is no answer: the host logs it and answers 500. */
export type VaultReply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly bug: string }

/** Answers calls from the host, those of one turn of the event loop in one write. */
export function serve(vault: Vault, socket: Duplex): void {
  const reader = new FrameReader()
  let outbox: VaultReply[] = []
  const send = (reply: VaultReply): void => {
    if (outbox.length === 0) setImmediate(flush)
    outbox.push(reply)
  }
  const flush = (): void => {
    socket.write(writeFrame(outbox))
    outbox = []
  }
  socket.on('data', (chunk: Buffer) => {
    // The host is ours and sends calls.
    for (const call of reader.push(chunk) as readonly VaultCall[]) void answer(vault, call).then(send)
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
