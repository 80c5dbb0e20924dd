import type { Duplex } from 'node:stream'
import { isPlain } from '../base/plain.ts'
import {
  PROTOCOL_VERSION,
  type SettledNote,
  vaultBug,
  type VaultCall,
  vaultFailed,
  type VaultMethod,
  vaultOutput,
  type VaultReady,
  vaultReady,
  vaultRefusal,
} from '../vault/envelope.ts'
import { FrameReader, writeFrame } from '../vault/frames.ts'
import type { SettledUnits, Vault } from '../vault/protocol.ts'

/** Something went wrong inside the vault, or it is gone. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

export type VaultLink = {
  readonly vault: Vault
  /** What the vault says of itself when it has started; rejects when it cannot. */
  readonly ready: Promise<VaultReady>
  readonly close: () => void
}

type Waiting = { readonly resolve: (output: never) => void; readonly reject: (error: Error) => void }

/** The host's end of the socket to the vault: calls of one turn of the event loop go in one write. */
export function vaultLink(socket: Duplex): VaultLink {
  const reader = new FrameReader()
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let outbox: VaultCall[] = []
  let settled: { readonly [How in keyof SettledUnits]: number[] } | undefined
  let isClosed = false
  const flush = (): void => {
    // What is decided next is decided knowing what became of everything before.
    const note: readonly SettledNote[] = settled === undefined ? [] : [{ settled }]
    socket.write(writeFrame([...note, ...outbox]))
    outbox = []
    settled = undefined
  }
  const call = <T>(method: VaultMethod, input?: unknown): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (isClosed) return reject(new VaultError('the vault is gone'))
      const id = nextId++
      waiting.set(id, { resolve, reject })
      if (outbox.length === 0) setImmediate(flush)
      outbox.push({ id, method, input })
    })
  const ready = new Promise<VaultReady>((resolve, reject) => waiting.set(START, { resolve, reject }))
  const lost = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new VaultError(why))
    waiting.clear()
  }
  const gone = (): void => {
    isClosed = true
    lost('the vault is gone')
  }
  socket.write(writeFrame([{ protocol: PROTOCOL_VERSION }]))
  socket.on('data', (chunk: Buffer) => {
    for (const message of reader.push(chunk)) deliver(waiting, message, lost)
  })
  socket.on('close', gone)
  socket.on('error', gone)
  return {
    ready,
    close: () => socket.destroy(),
    vault: {
      // It goes with the next call: without one, nothing is decided either.
      settled: ({ committed, dropped, unknown }) => {
        settled ??= { committed: [], dropped: [], unknown: [] }
        settled.committed.push(...committed)
        settled.dropped.push(...dropped)
        settled.unknown.push(...unknown)
      },
      decide: (request) => call('decide', request),
      identify: (request) => call('identify', request),
      check: (request) => call('check', request),
      found: (request) => call('found', request),
      openErrand: (row) => call('openErrand', row),
      signWebhook: (request) => call('signWebhook', request),
      rehearse: (request) => call('rehearse', request),
      serviceKeys: () => call('serviceKeys'),
      proveRoot: (challenge) => call('proveRoot', challenge),
      checkRootProof: (made) => call('checkRootProof', made),
    },
  }
}

const START = 0

/** What cannot be told whose it is leaves nobody waiting. */
function deliver(waiting: Map<number, Waiting>, message: unknown, lost: (why: string) => void): void {
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id)
    waiting.delete(id)
    return one
  }
  if (isPlain(vaultOutput, message)) take(message.id)?.resolve(message.output as never)
  else if (isPlain(vaultBug, message)) take(message.id)?.reject(new VaultError(message.bug))
  else if (isPlain(vaultReady, message)) take(START)?.resolve(message.ready as never)
  else if (isPlain(vaultFailed, message)) take(START)?.reject(new VaultError(message.failed))
  else if (isPlain(vaultRefusal, message)) {
    const why = `the vault does not take what it was sent: ${message.refused}`
    if (message.id === undefined) lost(why)
    else take(message.id)?.reject(new VaultError(why))
  } else lost(`the vault said what version ${PROTOCOL_VERSION} of its protocol does not know`)
}
