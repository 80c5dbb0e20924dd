import { keccak_256 } from '@noble/hashes/sha3.js'
import { isEd25519 } from '../arithmetic/edwards.ts'
import { p256, tweaked, whole } from '../arithmetic/points.ts'
import { isSchnorr } from '../arithmetic/schnorr.ts'
import { ecdsaParity, secp256k1 } from '../arithmetic/weierstrass.ts'
import { withPoints } from '../platform/secp256k1-backend.ts'
import { chainsOf } from '../../src/host/approval/chains/list.ts'
import { signaturesIn } from '../../src/host/approval/chains/signed.ts'
import { fromHex, toHex } from '../../src/trusted/base/bytes.ts'
import { Failure } from '../../src/trusted/base/failure.ts'
import { finished } from '../../src/trusted/base/work.ts'
import { applyHash, type HashFunction, hashFunctions } from '../../src/trusted/chains/hash-function.ts'
import { rawBytes } from '../../src/trusted/chains/raw-bytes.ts'
import type { ReadTransaction, ToSign } from '../../src/trusted/chains/transaction.ts'
import { unprefixed } from '../../src/trusted/chains/unprefixed.ts'
import { CURVES } from '../../src/trusted/crypto/curve.ts'
import { taggedHash } from '../../src/trusted/crypto/tagged-hash.ts'

/** The key that is to sign, as the host tells it. `address`: what the person chose, of Ethereum or Solana. */
export type SigningKey = { readonly curve: string; readonly publicKey: string; readonly address?: string }

/** What is to be signed, as a request has it. */
export type Asked =
  | { readonly signWith: string; readonly type: string; readonly unsignedTransaction: string }
  | {
      readonly signWith: string
      readonly payload: string
      readonly encoding: string
      readonly hashFunction: string
    }

/** What the service gives back: the signed transaction, or r, s and v. */
export type Returned =
  | { readonly signedTransaction: string }
  | { readonly r: string; readonly s: string; readonly v: string }

/**
 * What tells of an answer whether it is a signature by this key of exactly what is asked for. It is made before
 * anything is sent, so that nothing of the answer decides what is compared.
 *
 * @throws Failure for what cannot be signed with this key
 */
export async function signatureOf(
  asked: Asked,
  key: SigningKey,
): Promise<(returned: Returned) => Promise<boolean>> {
  if (!isOfAddress(key)) return async () => false
  if ('payload' in asked) {
    const bytes = await signedBytes(asked)
    return async (returned) => 'r' in returned && (await isOfPayload(returned, bytes, key))
  }
  const { read, signatures } = await readerOf(asked, key)
  return async (returned) => {
    if (!('signedTransaction' in returned)) return false
    try {
      return await isTransaction(returned.signedTransaction, read, signatures, key)
    } catch (error) {
      // What came back is no transaction.
      if (error instanceof Failure) return false
      throw error
    }
  }
}

/** What the key signs: a digest, or the message with Ed25519. */
async function signedBytes(asked: Extract<Asked, { payload: string }>): Promise<Uint8Array> {
  if (asked.encoding === 'PAYLOAD_ENCODING_EIP712') {
    const { typedDataDigest } = await import('./typed-data-digest.ts')
    return typedDataDigest(asked.payload)
  }
  const hashFunction = hashFunctions.find((one) => one === asked.hashFunction)
  if (hashFunction === undefined) throw new TypeError('no such hash function')
  return applyHash(hashFunction satisfies HashFunction, rawBytes(asked))
}

async function isOfPayload(
  { r, s, v }: Extract<Returned, { r: string }>,
  bytes: Uint8Array,
  key: SigningKey,
): Promise<boolean> {
  const rs = fromHex(r + s)
  if (rs?.length !== 64 || r.length !== 64) return false
  const parity = await parityOf({ bytes, scheme: 'curve' }, rs, key)
  return parity !== undefined && v === (parity ? '01' : '00')
}

async function readerOf(
  { signWith, type, unsignedTransaction }: Extract<Asked, { type: string }>,
  key: SigningKey,
) {
  const [words] = await chainsOf({ transaction: type })
  const curve = CURVES.find((one) => one === key.curve)
  if (words?.chain.transaction === undefined || curve === undefined)
    throw new TypeError('no such transaction')
  withPoints({
    whole: (point) => whole(secp256k1, point),
    plus: (point, by) => tweaked(secp256k1, point, by),
  })
  const signer = { curve, publicKey: key.publicKey, signWith, interfaces: [] }
  const read = finished(words.chain.transaction.read(unsignedTransaction, signer))
  // A chain that has transactions is among them.
  const found = await signaturesIn[words.chain.keyword as keyof typeof signaturesIn]()
  const unsigned = fromHex(unprefixed(unsignedTransaction)) ?? new Uint8Array()
  const publicKey = fromHex(key.publicKey) ?? new Uint8Array()
  return { read, signatures: (signed: Uint8Array) => found(signed, unsigned, publicKey) }
}

/** Every signature verifies, and with them the unsigned transaction is to the byte what came back. */
async function isTransaction(
  signed: string,
  read: ReadTransaction,
  signatures: (signed: Uint8Array) => readonly Uint8Array[],
  key: SigningKey,
): Promise<boolean> {
  const bytes = fromHex(signed)
  const found = bytes === undefined ? [] : signatures(bytes)
  if (found.length !== read.toSign.length) return false
  const written = []
  for (const [at, toSign] of read.toSign.entries()) {
    const rs = found[at] ?? new Uint8Array()
    const parity = await parityOf(toSign, rs, key)
    if (parity === undefined) return false
    const hex = toHex(rs)
    written.push({ r: hex.slice(0, 64), s: hex.slice(64), v: parity ? '01' : '00' } as const)
  }
  return read.signed(written) === signed
}

/** Whether the y of R is odd, as far as the scheme has it; undefined for no signature of these bytes by this key. */
async function parityOf(
  { bytes, scheme }: ToSign,
  rs: Uint8Array,
  { curve, publicKey }: SigningKey,
): Promise<boolean | undefined> {
  const key = fromHex(publicKey) ?? new Uint8Array()
  if (scheme === 'taproot') return isSchnorr(rs, bytes, taprootKey(key)) ? false : undefined
  if (curve === 'CURVE_ED25519') return (await isEd25519(rs, bytes, key)) ? false : undefined
  return ecdsaParity(curve === 'CURVE_P256' ? p256 : secp256k1, rs, bytes, key)
}

/** The key with which an output of Taproot is spent, where no script is behind it (BIP-341, BIP-86). */
function taprootKey(key: Uint8Array): Uint8Array {
  const x = key.subarray(1)
  return tweaked(secp256k1, Uint8Array.of(2, ...x), taggedHash('TapTweak', x)).subarray(1)
}

/** An address that somebody chose is that of the key which the host tells, where this page can work it out. */
function isOfAddress({ curve, publicKey, address }: SigningKey): boolean {
  if (address === undefined) return true
  if (!address.startsWith('0x')) return numberIn(address) === BigInt(`0x0${publicKey}`)
  const point = fromHex(publicKey)
  if (curve !== 'CURVE_SECP256K1' || point === undefined) return false
  return (
    toHex(keccak_256(whole(secp256k1, point).subarray(1)).subarray(12)) === unprefixed(address).toLowerCase()
  )
}

/** Of base58, in which an address of Solana is its key. */
function numberIn(base58: string): bigint {
  return [...base58].reduce((sum, digit) => sum * 58n + BigInt(DIGITS.indexOf(digit)), 0n)
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
