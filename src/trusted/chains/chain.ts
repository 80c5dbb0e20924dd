import { assert } from '../base/assert.ts'
import type { Steps } from '../base/work.ts'
import type { Curve } from '../crypto/curve.ts'
import type { Vocabulary } from '../policy/types.ts'
import type { HashFunction } from './hash-function.ts'
import type { NamedSigner, ReadTransaction, SeenFields } from './transaction.ts'

/** The declaration of one chain; only `list.ts` names the chains. */
export type Chain = {
  /** The name in messages and on pages. */
  readonly name: string
  /** The keyword of the policy language for its transactions and payloads. */
  readonly keyword: string
  /** The fields under the keyword: `tx` for a transaction, and a part for each of `encodings`. */
  readonly namespace: Vocabulary & { readonly tx: Vocabulary[string] }
  /** The fields of the namespace that some requests lack, by path, with the condition; shown by the lint. */
  readonly lacks?: Readonly<Record<string, string>>
  /** The curve of the keys that sign for it. */
  readonly curve: Curve
  /** The reader for `sign_transaction`; absent where the interface has no type for the chain. */
  readonly transaction?: TransactionRule
  /** The recognition of its transactions in raw payloads; absent where they are never recognised there. */
  readonly payload?: PayloadRule
  /** Encodings of raw payloads that only this chain has. */
  readonly encodings?: readonly EncodingRule[]
  /** Uploaded interfaces of its contracts; absent where it has none. */
  readonly interfaces?: InterfaceRule
  /** An example that can be signed; the reference shows it, and the same tests run the examples of all chains. */
  readonly example: ChainExample
  /** The third-party npm packages with which tests compare the reader; empty where no such package reads strictly. */
  readonly comparedWith: readonly string[]
}

type TransactionRule = {
  readonly type: string
  /** @throws Failure one of `failures.ts`, or of `fails` */
  read(unsignedTransaction: string, signer: NamedSigner): Steps<ReadTransaction>
  readonly fails?: readonly { readonly kind: string }[]
  /** The called contracts for which an interface may be uploaded; may throw any failure. */
  contractsCalled?(unsignedTransaction: Uint8Array): readonly string[]
}

export type PayloadRule = {
  /** Only payloads with this hash function are examined. */
  readonly hashFunction: HashFunction
  /** `part`: never shows the whole transaction, so the payload counts as opaque. */
  readonly shows: 'whole' | 'part'
  /**
   * The beginning of its payloads in hexadecimal digits, within the first 5 bytes; `see` ignores all others. With it a
   * page knows the possible chains of a payload before it loads their readers.
   */
  readonly begins: RegExp
  /**
   * @returns undefined for bytes that are not a payload of this chain
   * @throws  Failure for bytes that nodes may accept but that cannot be shown completely: they must not be signed as
   *          raw bytes
   */
  see(bytes: Uint8Array, signer: NamedSigner): Steps<SeenFields | undefined>
  /** As for transactions. */
  contractsCalled?(bytes: Uint8Array): readonly string[]
}

/** A payload in a text format with its own digest; the request has `HASH_FUNCTION_NO_OP`. */
export type EncodingRule = {
  readonly encoding: string
  /** The name of such a payload in the lint, for example `typed data`. */
  readonly what: string
  /** The part of the namespace that shows it. */
  readonly part: string
  /** Whether raw bytes may be shown under the same part. */
  readonly isSeenInBytes: boolean
  /** @throws Failure `invalidPayloadEncoding` */
  read(payload: string): Steps<ReadPayload>
}

export type ReadPayload = {
  /** The bytes to sign: a digest of 32 bytes, or with Ed25519 the message itself. */
  readonly bytes: Uint8Array
  /** Undefined where there are no facts. */
  readonly seen: SeenFields | undefined
}

export type InterfaceRule = {
  readonly type: string
  /** The kind of interface that the readers of this chain use. */
  readonly kind: string
  /** Whether a text is the address of a contract. */
  isAddress(text: string): boolean
  /** @throws Failure `invalidContractInterface` for a text that cannot be read completely */
  check(text: string, address: string): Steps<void>
}

type ChainExample = {
  /** In the form of `TransactionSigner`. */
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
