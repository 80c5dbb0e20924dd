import { assert, present } from '../../base/assert.ts'
import { equalBytes, fromHex, toHex } from '../../base/bytes.ts'
import { finished, type Steps } from '../../base/work.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { invalidTransaction, unreadableTransaction, wrongCurveForTransaction } from '../failures.ts'
import { solanaAddress } from '../solana-address.ts'
import type { ContractInterface, ReadTransaction, TransactionSigner } from '../transaction.ts'
import { decodeMessage, type Message } from './message.ts'
import { seenTransaction } from './seen-transaction.ts'
import { expectLength, expectValidMessage } from './valid-message.ts'
import { SIGNATURE_BYTES, splitTransaction } from './wire-message.ts'

/**
 * Reads a whole transaction of Solana as it goes over the wire, with a slot of 64 bytes for each signature: empty
 * (zeros) or filled (docs/decisions/solana-transactions.md).
 *
 * @param hex  hexadecimal digits of either case, with or without `0x`
 * @returns    the message to sign; signed, the transaction with the slot of the signer filled and all others as they were
 * @throws     Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`,
 *             `wrongCurveForTransaction`
 */
export function readSolanaTransaction(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): ReadTransaction {
  return finished(solanaTransactionSteps(hex, signer, interfaces))
}

/** The same in steps. */
export function* solanaTransactionSteps(
  hex: string,
  signer: TransactionSigner,
  interfaces: readonly ContractInterface[],
): Steps<ReadTransaction> {
  const publicKey = ed25519Key(signer)
  const wire = wireBytes(hex)
  const { slots, slotsAt, message: bytes } = splitTransaction(wire)
  const message = decodeMessage(bytes)
  expectValidMessage(message, bytes.length)
  const slotAt = slotsAt + SIGNATURE_BYTES * slotOf(message, slots, publicKey)
  return {
    seen: { solana: { tx: yield* seenTransaction(message, interfaces) } },
    toSign: [{ bytes, scheme: 'curve' }],
    signed: ([signature]) => filled(wire, slotAt, present(signature, 'one signature')),
  }
}

const NEEDED = 'CURVE_ED25519'

function ed25519Key({ curve, publicKey }: TransactionSigner): Uint8Array {
  if (curve !== NEEDED) throw wrongCurveForTransaction({ chain: 'Solana', needed: NEEDED, curve })
  return present(fromHex(publicKey), 'a public key is hexadecimal')
}

function wireBytes(hex: string): Uint8Array {
  const digits = /^0x/i.test(hex) ? hex.slice(2) : hex
  // Before it is decoded, so that work is bounded by what can be a transaction.
  expectLength(Math.ceil(digits.length / 2))
  const bytes = fromHex(digits)
  if (bytes === undefined) throw unreadableTransaction({ what: 'it is not hexadecimal' })
  return bytes
}

/** Which signature is that of the key. */
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
