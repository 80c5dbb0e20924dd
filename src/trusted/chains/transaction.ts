import type { Caseless } from '../base/caseless.ts'
import type { Steps } from '../base/work.ts'
import type { Curve } from '../crypto/curve.ts'
import type { ResourceSignature } from '../crypto/signature.ts'

/** What policies see of a transaction: plain data under the names of the policy language. Whole numbers are bigint. */
export type SeenValue = boolean | bigint | string | Caseless | readonly SeenValue[] | SeenFields
export type SeenFields = { readonly [name: string]: SeenValue | undefined }

/**
 * A value of which nothing can be asked, for a field that is left open by who signs: a rule that names it fails, so that it
 * allows nothing and denies. What is undefined is passed over by a rule that denies.
 */
export const UNANSWERABLE: SeenFields = {}

/** One thing to sign: a digest of 32 bytes for ECDSA and Schnorr, or a whole message for Ed25519. */
export type ToSign = {
  readonly bytes: Uint8Array
  /** `curve`: the scheme of the curve (ECDSA, or Ed25519). `taproot`: BIP-340 with the key-path tweak of BIP-341. */
  readonly scheme: 'curve' | 'taproot'
}

/** An unsigned transaction that was read, and of which nothing is left unread. */
export type ReadTransaction = {
  /** Keyword of the language, such as `eth`, to what is under it. */
  readonly seen: SeenFields
  /** In the order in which `signed` takes the signatures; at least one. */
  readonly toSign: readonly ToSign[]
  /** The transaction with these signatures in it, hexadecimal without `0x`, in the form that clients of the chain expect. */
  signed(signatures: readonly ResourceSignature[]): string
}

/** Who signs, and what is known about the contracts that the transaction calls. */
export type TransactionSigner = {
  readonly curve: Curve
  /** secp256k1: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
}

/** The same, with what else is known when a request is read. */
export type NamedSigner = TransactionSigner & {
  /** The id or address that the signer was named by. */
  readonly signWith: string
  readonly interfaces: readonly ContractInterface[]
}

/** A contract interface that the organization has uploaded. */
export type ContractInterface = {
  /** As the chain that reads it declares it, see `InterfaceRule`. */
  readonly kind: string
  readonly address: string
  /** JSON text: an ABI, or an IDL of Anchor. */
  readonly text: string
  /** Reads the text, once for all calls of one request; absent where each call has it read anew. */
  readonly readOnce?: <T>(read: (text: string) => Steps<T>) => Steps<T>
}
