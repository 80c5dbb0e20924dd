import { WireReader } from './wire-reader.ts'

/** A transaction in its wire format, split after its signatures. */
type WireTransaction = {
  /** The number of signature slots. */
  readonly slots: number
  /** The offset of the first slot. */
  readonly slotsAt: number
  /** A view of the input. */
  readonly message: Uint8Array
}

export const SIGNATURE_BYTES = 64

/** @throws Failure `unreadableTransaction` when the bytes end within the signatures */
export function splitTransaction(wire: Uint8Array): WireTransaction {
  const reader = new WireReader(wire)
  const slots = reader.compactLength('signatures')
  const slotsAt = reader.position
  reader.take(slots * SIGNATURE_BYTES, 'signatures')
  return { slots, slotsAt, message: wire.subarray(reader.position) }
}

/** The bytes to sign; whether they are a message is not checked. */
export function messageIn(wire: Uint8Array): Uint8Array {
  return splitTransaction(wire).message
}
