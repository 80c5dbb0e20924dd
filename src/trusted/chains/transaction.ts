import type { Caseless } from '../base/caseless.ts'
import type { Steps } from '../base/work.ts'
import type { Curve } from '../crypto/curve.ts'
import type { ResourceSignature } from '../crypto/signature.ts'

/** The facts of a transaction: plain data under the names of the policy language. Whole numbers are bigint. */
export type SeenValue = boolean | bigint | string | Caseless | readonly SeenValue[] | SeenFields
export type SeenFields = { readonly [name: string]: SeenValue | undefined }

/**
 * The value of a field whose real value is unknown. A rule that names it fails: an ALLOW policy then allows nothing,
 * and a DENY policy denies. An undefined value, in contrast, makes a DENY policy not apply.
 */
export const UNANSWERABLE: SeenFields = {}

/** One thing to sign: a digest of 32 bytes for ECDSA and Schnorr, or a whole message for Ed25519. */
export type ToSign = {
  readonly bytes: Uint8Array
  /** `curve`: the scheme of the curve (ECDSA, or Ed25519). `taproot`: BIP-340 with the key-path tweak of BIP-341. */
  readonly scheme: 'curve' | 'taproot'
}

/** An unsigned transaction that was read to its last byte. */
export type ReadTransaction = {
  /** Facts by keyword of the language, such as `eth`. */
  readonly seen: SeenFields
  /** In the order in which `signed` takes the signatures; at least one. */
  readonly toSign: readonly ToSign[]
  /** The transaction with these signatures, hexadecimal without `0x`, in the form that clients of the chain expect. */
  signed(signatures: readonly ResourceSignature[]): string
}

/** The signing key, and the interfaces of the contracts that the transaction calls. */
export type TransactionSigner = {
  readonly curve: Curve
  /** secp256k1: 33 bytes compressed; Ed25519: 32 bytes; lowercase hex. */
  readonly publicKey: string
}

/** The same, with the name by which the request refers to the key. */
export type NamedSigner = TransactionSigner & {
  /** The id or address by which the request names the key. */
  readonly signWith: string
  readonly interfaces: readonly ContractInterface[]
}

/** A contract interface that the organization has uploaded. */
export type ContractInterface = {
  /** A kind that a chain declares, see `InterfaceRule`. */
  readonly kind: string
  readonly address: string
  /** JSON text: an ABI, or an IDL of Anchor. */
  readonly text: string
  /** Reads the text once for all calls of one request; absent where each call reads it again. */
  readonly readOnce?: <T>(read: (text: string) => Steps<T>) => Steps<T>
}
