import type { Duplex } from 'node:stream'
import { FrameReader, writeFrame } from '../vault/frames.ts'
import type { Vault } from '../vault/protocol.ts'
import type { VaultCall, VaultMethod, VaultReply } from '../vault/serve.ts'

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

export type VaultReady = { readonly secp256k1: string }

type Waiting = { readonly resolve: (output: never) => void; readonly reject: (error: Error) => void }

/** The host's end of the socket to the vault: calls of one turn of the event loop go in one write. */
export function vaultLink(socket: Duplex): VaultLink {
  const reader = new FrameReader()
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let outbox: VaultCall[] = []
  let isClosed = false
  const flush = (): void => {
    socket.write(writeFrame(outbox))
    outbox = []
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
  socket.on('data', (chunk: Buffer) => {
    // The vault is ours: its first message tells how it started, and replies follow.
    for (const message of reader.push(chunk) as readonly (Started | VaultReply)[]) deliver(waiting, message)
  })
  const gone = (): void => {
    isClosed = true
    for (const { reject } of waiting.values()) reject(new VaultError('the vault is gone'))
    waiting.clear()
  }
  socket.on('close', gone)
  socket.on('error', gone)
  return {
    ready,
    close: () => socket.destroy(),
    vault: {
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

type Started = { readonly ready: VaultReady } | { readonly failed: string }

const START = 0

function deliver(waiting: Map<number, Waiting>, message: Started | VaultReply): void {
  const id = 'id' in message ? message.id : START
  const one = waiting.get(id)
  waiting.delete(id)
  if (one === undefined) return
  if ('ready' in message) one.resolve(message.ready as never)
  else if ('failed' in message) one.reject(new VaultError(message.failed))
  else if ('bug' in message) one.reject(new VaultError(message.bug))
  else one.resolve(message.output as never)
}
