import { assert, present } from '../../base/assert.ts'
import { equalBytes, fromHex, toHex } from '../../base/bytes.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { invalidTransaction, unreadableTransaction } from '../failures.ts'
import { solanaAddress } from '../solana-address.ts'
import { decodeMessage, type Message } from './message.ts'
import { expectLength, expectValidMessage } from './valid-message.ts'
import { SIGNATURE_BYTES, splitTransaction } from './wire-message.ts'
import { unprefixed } from '../unprefixed.ts'

/** A whole transaction that the key can sign. */
type SignableTransaction = {
  readonly message: Message
  /** The message as it is signed. */
  readonly bytes: Uint8Array
  /** The transaction in hex, with the slot of the signer filled and all others as they were. */
  readonly signed: (signature: ResourceSignature) => string
}

/**
 * @param hex        hexadecimal digits of either case, with or without `0x`
 * @param publicKey  the 32 bytes of one of its required signers
 * @throws           Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`
 */
export function readSignableTransaction(hex: string, publicKey: Uint8Array): SignableTransaction {
  const wire = wireBytes(hex)
  const { slots, slotsAt, message: bytes } = splitTransaction(wire)
  const message = decodeMessage(bytes)
  expectValidMessage(message, bytes.length)
  const slotAt = slotsAt + SIGNATURE_BYTES * slotOf(message, slots, publicKey)
  return { message, bytes, signed: (signature) => filled(wire, slotAt, signature) }
}

function wireBytes(hex: string): Uint8Array {
  const digits = unprefixed(hex)
  // Checked before decoding, so that the longest transaction bounds the work.
  expectLength(Math.ceil(digits.length / 2))
  const bytes = fromHex(digits)
  if (bytes === undefined) throw unreadableTransaction({ what: 'it is not hexadecimal' })
  return bytes
}

/** The index of the key's signature. */
function slotOf({ requiredSignatures, accountKeys }: Message, slots: number, publicKey: Uint8Array): number {
  if (slots !== requiredSignatures) {
    throw invalidTransaction({
      what: `there is room for ${slots} signatures, and ${requiredSignatures} are required`,
    })
  }
  const slot = accountKeys.slice(0, requiredSignatures).findIndex((key) => equalBytes(key, publicKey))
  if (slot < 0) {
    throw invalidTransaction({ what: `${solanaAddress(publicKey)} is not one of its required signers` })
  }
  return slot
}

function filled(wire: Uint8Array, at: number, { r, s }: ResourceSignature): string {
  const signature = present(fromHex(r + s), 'a signature is hexadecimal')
  assert(signature.length === SIGNATURE_BYTES, 'a signature is 64 bytes')
  const signed = Uint8Array.from(wire)
  signed.set(signature, at)
  return toHex(signed)
}
