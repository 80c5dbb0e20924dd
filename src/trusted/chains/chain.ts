import { assert } from '../base/assert.ts'
import type { Steps } from '../base/work.ts'
import type { Curve } from '../crypto/curve.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { HashFunction } from './hash-function.ts'
import type { NamedSigner, ReadTransaction, SeenFields } from './transaction.ts'

/** Everything that the service knows of one chain; `list.ts` has them all, and nothing else names one. */
export type Chain = {
  /** As messages and pages name it. */
  readonly name: string
  /** The keyword of the policy language under which its transactions and payloads are seen. */
  readonly keyword: string
  /** What may be named under the keyword: `tx` for a transaction, and a part for each of `encodings`. */
  readonly namespace: Vocabulary & { readonly tx: Vocabulary[string] }
  /** What some requests lack of the namespace, by its path, and when; said by the lint. */
  readonly lacks?: Readonly<Record<string, string>>
  /** The curve of the keys that sign for it. */
  readonly curve: Curve
  /** How `sign_transaction` reads it; absent where the interface has no type for it. */
  readonly transaction?: TransactionRule
  /** What raw payloads of it are and how they are seen; absent where a raw payload never shows one. */
  readonly payload?: PayloadRule
  /** Encodings of raw payloads that are of this chain alone. */
  readonly encodings?: readonly EncodingRule[]
  /** Uploaded interfaces of its contracts; absent where it has none. */
  readonly interfaces?: InterfaceRule
  /** One that can be signed: the reference shows it, and every chain's example is tried by the same tests. */
  readonly example: ChainExample
  /** The npm packages of others that its tests compare the reader with; none where no such package reads it strictly. */
  readonly comparedWith: readonly string[]
}

type TransactionRule = {
  readonly type: string
  /** @throws Failure one of `failures.ts`, or of `fails` */
  read(unsignedTransaction: string, signer: NamedSigner): Steps<ReadTransaction>
  readonly fails?: readonly { readonly kind: string }[]
  /** The contracts that a transaction calls, as far as interfaces of such are kept; may throw any failure. */
  contractsCalled?(unsignedTransaction: Uint8Array): readonly string[]
}

export type PayloadRule = {
  /** Payloads are looked at where they come with this one. */
  readonly hashFunction: HashFunction
  /** `part`: never the whole transaction, so that it counts as opaque, whatever is shown of it. */
  readonly shows: 'whole' | 'part'
  /**
   * @returns undefined for bytes that are nothing of this chain
   * @throws  Failure for bytes that nodes may take and that are not seen whole: they must not be signed as raw bytes
   */
  see(bytes: Uint8Array, signer: NamedSigner): Steps<SeenFields | undefined>
  /** As for transactions. */
  contractsCalled?(bytes: Uint8Array): readonly string[]
}

/** A payload that is a text of its own kind, with a digest of its own: the request says `HASH_FUNCTION_NO_OP`. */
export type EncodingRule = {
  readonly encoding: string
  /** What such a payload is, for the lint: `typed data`. */
  readonly what: string
  /** The part of the namespace that it is seen under. */
  readonly part: string
  /** Whether raw bytes may be seen under the same part. */
  readonly isSeenInBytes: boolean
  /** @throws Failure `invalidPayloadEncoding` */
  read(payload: string): Steps<ReadPayload>
}

export type ReadPayload = {
  /** What the key signs: a digest of 32 bytes, or with Ed25519 the message itself. */
  readonly bytes: Uint8Array
  /** Undefined where there is nothing to see. */
  readonly seen: SeenFields | undefined
}

export type InterfaceRule = {
  readonly type: string
  /** What the readers of this chain look for among interfaces. */
  readonly kind: string
  /** Whether a text is the address of a contract. */
  isAddress(text: string): boolean
  /** @throws Failure `invalidContractInterface` for a text that is not understood whole */
  check(text: string, address: string): Steps<void>
}

type ChainExample = {
  /** As `TransactionSigner` has it. */
  readonly publicKey: string
  /** The address of that key. */
  readonly signWith: string
  /** Hexadecimal: the unsigned transaction, or the payload where the chain has no type of transaction. */
  readonly unsigned: string
}

export function defineChain<const C extends Chain>(chain: C): C {
  const { name, transaction, payload, namespace, encodings = [] }: Chain = chain
  assert(transaction !== undefined || payload !== undefined, `${name} is read in some way`)
  assert(
    encodings.every(({ part }) => Object.hasOwn(namespace, part)),
    `${name} names what it shows`,
  )
  return chain
}
