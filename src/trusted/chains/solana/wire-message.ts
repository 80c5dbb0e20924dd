import { WireReader } from './wire-reader.ts'

/** A transaction on the wire, cut where its signatures end. */
type WireTransaction = {
  /** How many signatures there is room for. */
  readonly slots: number
  /** Where the first of them begins. */
  readonly slotsAt: number
  /** A view of what was read. */
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

/** The bytes that signers sign, which need not be a message yet. */
export function messageIn(wire: Uint8Array): Uint8Array {
  return splitTransaction(wire).message
}
