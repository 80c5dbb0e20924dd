import { sha256 } from '@noble/hashes/sha2.js'
import { present } from '../base/assert.ts'
import { concat, fromHex, toBase64url, toHex } from '../base/bytes.ts'
import { crc16 } from './crc16.ts'

type TonWallet = keyof typeof wallets

/**
 * The user-friendly address of a wallet contract in workchain 0, non-bounceable (`UQ…`), 48 characters of base64url.
 * Why non-bounceable, and which wallet ids: docs/decisions/ton-addresses.md.
 *
 * @see TEP-2 (address formats); TVM whitepaper, section 3.1.4 (cell representation)
 */
export function tonAddress(wallet: TonWallet): (publicKey: Uint8Array) => string {
  const { codeHash, codeDepth, dataOf } = wallets[wallet]
  const code = present(fromHex(codeHash), 'a code hash is hexadecimal')
  return (publicKey) => {
    const dataHash = leafCellHash(dataOf(BigInt(`0x${toHex(publicKey)}`)))
    // A StateInit cell: two references, five bits (code and data present) padded to one byte, the depths, the hashes.
    const stateInit = concat(Uint8Array.of(0x02, 0x01, 0x34, 0, codeDepth, 0, 0), code, dataHash)
    const body = concat(Uint8Array.of(NON_BOUNCEABLE, WORKCHAIN), sha256(stateInit))
    const checksum = crc16(body)
    return toBase64url(concat(body, Uint8Array.of(checksum >> 8, checksum & 0xff)))
  }
}

const NON_BOUNCEABLE = 0x51
const WORKCHAIN = 0x00

/** An unsigned number and the bits that it takes. */
type BitField = readonly [value: bigint, bits: number]

// The first wallet id ever used, kept by every V3 and V4 wallet: the first four bytes of the main network's genesis.
const WALLET_ID_V3_V4 = 698983191n
// V5: network id -239 combined with the client context (workchain 0, version 0, subwallet 0).
const WALLET_ID_V5_MAINNET = 0x7fffff11n

const seqno: BitField = [0n, 32]
const noPlugins: BitField = [0n, 1]

const wallets = {
  V3R2: {
    codeHash: '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599',
    codeDepth: 0,
    dataOf: (key: bigint): readonly BitField[] => [seqno, [WALLET_ID_V3_V4, 32], [key, 256]],
  },
  V4R2: {
    codeHash: 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
    codeDepth: 7,
    dataOf: (key: bigint): readonly BitField[] => [seqno, [WALLET_ID_V3_V4, 32], [key, 256], noPlugins],
  },
  V5R1: {
    codeHash: '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f',
    codeDepth: 6,
    dataOf: (key: bigint): readonly BitField[] => [
      [1n, 1], // signatures are allowed
      seqno,
      [WALLET_ID_V5_MAINNET, 32],
      [key, 256],
      noPlugins,
    ],
  },
} as const

/**
 * SHA-256 of a cell without references: descriptors d1, d2, and the bits, completed with a 1 where the last byte is not
 * full.
 */
function leafCellHash(fields: readonly BitField[]): Uint8Array {
  let value = 0n
  let bits = 0
  for (const [fieldValue, fieldBits] of fields) {
    value = (value << BigInt(fieldBits)) | fieldValue
    bits += fieldBits
  }
  const bytes = Math.ceil(bits / 8)
  const spare = bytes * 8 - bits
  if (spare > 0) value = ((value << 1n) | 1n) << BigInt(spare - 1)
  const data = present(fromHex(value.toString(16).padStart(bytes * 2, '0')), 'a number in base 16')
  return sha256(concat(Uint8Array.of(0x00, Math.floor(bits / 8) + bytes), data))
}
