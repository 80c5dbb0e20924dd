import type { Duplex } from 'node:stream'
import { isPlain, readPlain, whole } from '../../trusted/base/plain.ts'
import { InFlight } from '../../trusted/base/in-flight.ts'
import {
  PROTOCOL_VERSION,
  readiness,
  type SettledNote,
  vaultBug,
  type VaultCall,
  vaultFailed,
  vaultOutput,
  type VaultReady,
  vaultReady,
  vaultRefusal,
} from '../../protocol/envelope.ts'
import { type AnswerOf, readAnswer, type VaultMethod } from '../../protocol/methods.ts'
import { FrameSender, LONG_CHARACTERS } from '../../protocol/frame-sender.ts'
import { FrameReader, writeFrame } from '../../protocol/frames.ts'
import type { SettledUnits, Vault } from '../../protocol/vault.ts'
import { lengthOfCall } from './length-of-call.ts'
import { Outbox } from './outbox.ts'

/** An error inside the vault, or its loss. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** The vault is lost, or takes too long: the call will not be committed. */
export class VaultUnavailable extends VaultError {}

// In ticks of a second. No honest call holds the vault for long, but many may wait their turn; its start loads the
// code, and waits for the seal of the root key file besides.
export const CALL_TICKS_MAX = 10
const START_TICKS_MAX = 60
/** Calls are no longer queued for a vault that has said nothing at all for so long. */
const SILENT_TICKS_MAX = 5

export type VaultLink = {
  readonly vault: Vault
  /**
   * Call it once a second: calls that have waited for too long are rejected, and their late answers will be dropped.
   */
  readonly tick: () => void
  /** For how many ticks the vault has been asked something and has said nothing. */
  readonly silentTicks: () => number
  /** What the vault says of itself when it has started; rejects when it cannot. */
  readonly ready: Promise<VaultReady>
  readonly close: () => void
}

type Waiting = {
  /** Throws when it is no answer to what was asked. */
  readonly take: (output: unknown) => void
  readonly reject: (error: Error) => void
  /** The tick in which it was asked. */
  readonly since: number
}

/**
 * The host's end of the socket to the vault: calls of one turn of the event loop go in one write, unless they are long.
 */
export function vaultLink(
  socket: Duplex,
  { isUnderWay: isUnsealing }: { readonly isUnderWay: () => boolean } = { isUnderWay: () => false },
): VaultLink {
  const reader = new FrameReader()
  const waiting = new InFlight<Waiting>()
  let nextId = 1
  const outbox = new Outbox<VaultCall>()
  let settled: { readonly [How in keyof SettledUnits]: number[] } | undefined
  let isClosed = false
  let ticks = 0
  /** Since when it owes an answer. */
  let askedAt: number | undefined
  const silentTicks = (): number => (askedAt === undefined ? 0 : ticks - askedAt)
  const flush = (): void => {
    // The next decision must know the outcome of all earlier units.
    const note: readonly SettledNote[] = settled === undefined ? [] : [{ settled }]
    settled = undefined
    const calls = outbox.take()
    const [long] = calls
    if (long !== undefined && calls.length === 1 && long.characters > LONG_CHARACTERS) {
      sender.send(note)
      sender.sendInPieces(long.message, long.characters)
    } else sender.send([...note, ...calls.map(({ message }) => message)])
    if (outbox.size > 0) setImmediate(flush)
  }
  /** It is not sent, so that the vault need not refuse it in front of everybody else's. */
  const tooLong = (message: VaultCall | SettledNote): undefined => {
    if (!('id' in message)) return
    waiting
      .take(message.id)
      ?.reject(new VaultError(`what ${message.method} was asked is longer than a frame may be`))
    if (waiting.size === 0) askedAt = undefined
  }
  const call = <M extends VaultMethod>(method: M, input?: unknown, length = 0): Promise<AnswerOf<M>> =>
    new Promise<AnswerOf<M>>((resolve, reject) => {
      if (isClosed) return reject(new VaultUnavailable('the vault is gone'))
      if (silentTicks() > SILENT_TICKS_MAX) return reject(new VaultUnavailable('the vault does not answer'))
      const id = nextId++
      waiting.put(id, { take: (output) => resolve(readAnswer(method, output)), reject, since: ticks })
      askedAt ??= ticks
      if (outbox.size === 0) setImmediate(flush)
      outbox.put({ id, method, input }, length)
    })
  const ready = new Promise<VaultReady>((resolve, reject) =>
    waiting.put(START, {
      take: (output) => resolve(readPlain(readiness, output, 'the greeting')),
      reject,
      since: START_TICKS_MAX - CALL_TICKS_MAX,
    }),
  )
  const settle = ({ committed, dropped, unknown }: SettledUnits): void => {
    settled ??= { committed: [], dropped: [], unknown: [] }
    settled.committed.push(...committed)
    settled.dropped.push(...dropped)
    settled.unknown.push(...unknown)
  }
  const late = (output: unknown): void => {
    const ticket = ticketIn(output)
    if (ticket !== undefined) settle({ committed: [], dropped: [ticket], unknown: [] })
  }
  const lost = (error: VaultError): void => {
    for (const id of waiting.numbers()) waiting.take(id)?.reject(error)
  }
  const gone = (): void => {
    isClosed = true
    lost(new VaultUnavailable('the vault is gone'))
  }
  const tick = (): void => {
    ticks++
    for (const id of waiting.numbers()) {
      const since = waiting.get(id)?.since ?? ticks
      if (ticks - since <= CALL_TICKS_MAX || (id === START && isUnsealing())) continue
      waiting.take(id)?.reject(new VaultUnavailable('the vault did not answer in time'))
    }
  }
  const sender = new FrameSender<VaultCall | SettledNote>(socket, tooLong)
  socket.write(writeFrame([{ protocol: PROTOCOL_VERSION }]))
  socket.on('data', (chunk: Buffer) => {
    for (const message of reader.push(chunk)) deliver(waiting, message, { lost, late })
    askedAt = waiting.size === 0 ? undefined : ticks
  })
  socket.on('close', gone)
  socket.on('error', gone)
  return {
    ready,
    tick,
    silentTicks,
    close: () => socket.destroy(),
    vault: {
      // It goes with the next call: without one, nothing is decided either.
      settled: settle,
      decide: (request) => call('decide', request, lengthOfCall.decide(request)),
      identify: (request) => call('identify', request, lengthOfCall.identify(request)),
      check: (request) => call('check', request, lengthOfCall.check(request)),
      establish: (request) => call('establish', request),
      openJob: (row) => call('openJob', row),
      signWebhook: (request) => call('signWebhook', request),
      rehearse: (request) => call('rehearse', request, lengthOfCall.rehearse(request)),
      verify: (rows) => call('verify', rows, lengthOfCall.verify(rows)),
      copyKey: (request) => call('copyKey', request),
      restored: (made) => call('restored', made),
      announceRestore: (request) => call('announceRestore', request),
      announceRecovery: (request) => call('announceRecovery', request),
      heartbeat: (request) => call('heartbeat', request),
      serviceKeys: () => call('serviceKeys'),
      proveRoot: (challenge) => call('proveRoot', challenge),
      rereadRootKey: () => call('rereadRootKey'),
      reseal: (request) => call('reseal', request, lengthOfCall.reseal(request)),
      erase: (rows) => call('erase', rows, lengthOfCall.erase(rows)),
      eraseUser: (request) => call('eraseUser', request, lengthOfCall.eraseUser(request)),
      checkRootProof: (made) => call('checkRootProof', made),
    },
  }
}

const START = 0

/** As the vault takes it back. */
const ticket = whole(1)

/** Of a unit that was decided; an answer can also name the ticket of another one. */
function ticketIn(output: unknown): number | undefined {
  if (typeof output !== 'object' || output === null || !('unit' in output) || !('ticket' in output))
    return undefined
  return isPlain(ticket, output.ticket) ? output.ticket : undefined
}

type Deliveries = {
  readonly lost: (error: VaultError) => void
  /** A late answer is dropped: its decision is not carried out. */
  readonly late: (output: unknown) => void
}

/** What cannot be told whose it is leaves nobody waiting. */
function deliver(waiting: InFlight<Waiting>, message: unknown, { lost, late }: Deliveries): void {
  if (isPlain(vaultOutput, message)) {
    const item = waiting.take(message.id)
    if (item === undefined) late(message.output)
    else answered(item, message.output, late)
  } else if (isPlain(vaultBug, message)) waiting.take(message.id)?.reject(new VaultError(message.bug))
  else if (isPlain(vaultReady, message)) waiting.take(START)?.take(message.ready)
  else if (isPlain(vaultFailed, message)) waiting.take(START)?.reject(new VaultError(message.failed))
  else if (isPlain(vaultRefusal, message)) {
    const why = `the vault does not take what it was sent: ${message.refused}`
    if (message.id === undefined) lost(new VaultError(why))
    else waiting.take(message.id)?.reject(new VaultError(why))
  } else lost(new VaultError(`the vault said what version ${PROTOCOL_VERSION} of its protocol does not know`))
}

/**
 * An answer of another shape is the trouble of its own call, whatever reading it throws: how deep it is nested has no
 * bound.
 */
function answered({ take, reject }: Waiting, output: unknown, late: Deliveries['late']): void {
  try {
    take(output)
  } catch (error) {
    late(output)
    reject(new VaultError(`the vault answered what its protocol does not know: ${String(error)}`))
  }
}
