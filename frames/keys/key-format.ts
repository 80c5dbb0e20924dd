import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, createBase58check } from '@scure/base'
import type { Bytes } from '../bundles/p256-keys.ts'
import { badKey, badMessage } from '../failures.ts'

/** How wallets write a private key of 32 bytes. */
type KeyFormat = {
  readonly encode: (key: Bytes) => string
  /** Throws anything for a text that is none. */
  readonly decode: (text: string) => Uint8Array
}

/**
 * A key as text in the format of this name, `HEXADECIMAL` where none is named.
 *
 * @throws Failure `badMessage`, `badKey`
 */
export function encodedKey(name: string | undefined, key: Bytes): string {
  if (key.length !== KEY_BYTES) throw badKey({ why: 'it does not have 32 bytes' })
  return formatOf(name).encode(key)
}

/** The 32 bytes of a key that was typed in. @throws Failure `badMessage`, `badKey` */
export function decodedKey(name: string | undefined, text: string): Bytes {
  const format = formatOf(name)
  const key = decodedBy(format, text.trim())
  if (key?.length !== KEY_BYTES) throw badKey({ why: `it is no key in the format ${name ?? HEXADECIMAL}` })
  return Uint8Array.from(key)
}

const KEY_BYTES = 32
const HEXADECIMAL = 'HEXADECIMAL'
/** The longest of them is a text of 88 characters. */
const LENGTH_MAX = 256
const base58check = createBase58check(sha256)

function formatOf(name: string = HEXADECIMAL): KeyFormat {
  const format = formats.get(name)
  if (format === undefined)
    throw badMessage({ what: `"keyFormat" is none of ${[...formats.keys()].join(', ')}` })
  return format
}

function decodedBy({ decode }: KeyFormat, text: string): Uint8Array | undefined {
  if (text.length > LENGTH_MAX) return undefined
  try {
    return decode(text)
  } catch {
    // The text must not be quoted, and libraries do.
    return undefined
  }
}

const hexadecimal: KeyFormat = {
  encode: (key) => `0x${bytesToHex(key)}`,
  decode: (text) => hexToBytes(text.replace(/^0x/i, '')),
}

/** Seed ‖ public key, in Base58. */
const solana: KeyFormat = {
  encode: (key) => base58.encode(concatBytes(key, ed25519.getPublicKey(key))),
  decode: (text) => {
    const pair = base58.decode(text)
    const seed = pair.subarray(0, KEY_BYTES)
    if (bytesToHex(ed25519.getPublicKey(seed)) !== bytesToHex(pair.subarray(KEY_BYTES)))
      throw new Error('two keys that do not fit')
    return seed
  },
}

/** Wallet import format of a key whose public key is compressed. */
function wif(version: number): KeyFormat {
  return {
    encode: (key) => base58check.encode(concatBytes(Uint8Array.of(version), key, COMPRESSED)),
    decode: (text) => {
      const bytes = base58check.decode(text)
      if (bytes.length !== KEY_BYTES + 2 || bytes[0] !== version || bytes.at(-1) !== COMPRESSED[0])
        throw new Error('another network, or an uncompressed key')
      return bytes.subarray(1, -1)
    },
  }
}

const COMPRESSED = Uint8Array.of(0x01)

/** SIP-15: the flag of the scheme and the key, in Bech32. */
const sui: KeyFormat = {
  encode: (key) => bech32.encodeFromBytes(SUI_PREFIX, concatBytes(ED25519_FLAG, key)),
  decode: (text) => {
    const { prefix, bytes } = bech32.decodeToBytes(text)
    if (prefix !== SUI_PREFIX || bytes[0] !== ED25519_FLAG[0]) throw new Error('another kind of key')
    return bytes.subarray(1)
  },
}

const SUI_PREFIX = 'suiprivkey'
const ED25519_FLAG = Uint8Array.of(0x00)

const formats: ReadonlyMap<string, KeyFormat> = new Map([
  [HEXADECIMAL, hexadecimal],
  ['SOLANA', solana],
  ['BITCOIN_MAINNET_WIF', wif(0x80)],
  ['BITCOIN_TESTNET_WIF', wif(0xef)],
  ['SUI_BECH32', sui],
])
