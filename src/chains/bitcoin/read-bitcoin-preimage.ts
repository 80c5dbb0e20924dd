import { equalBytes } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import type { SeenFields } from '../transaction.ts'
import { ByteReader } from './byte-reader.ts'
import { networkOf } from './network.ts'
import { readOutputScript } from './output-script.ts'
import { readPsbt } from './psbt.ts'
import { seeHead, seeInput, seeOutputs } from './read-bitcoin-transaction.ts'
import { SIGHASH_ALL, SIGHASH_DEFAULT, TAP_SIGHASH } from './sighash.ts'
import { readWireTransaction, type WireTransaction } from './wire-transaction.ts'

/**
 * What policies see of raw bytes that are a Bitcoin transaction, or what a digest of one is taken of: a PSBT, a
 * transaction on the wire, and the preimages from before segwit, of BIP-143 and of BIP-341. Undefined for all else.
 *
 * Only what is whole is shown: a preimage that has the inputs and outputs as hashes, or in part, shows version and lock
 * time, and no preimage shows a fee. A digest of 32 bytes shows nothing, and cannot be told from any other.
 *
 * @param signWith  as for `readBitcoinTransaction`
 */
export function readBitcoinPreimage(bytes: Uint8Array, signWith: string): SeenFields | undefined {
  for (const form of forms) {
    const seen = ifReadable(() => form(bytes, signWith))
    if (seen !== undefined) return { bitcoin: { tx: seen } }
  }
  return undefined
}

type Form = (bytes: Uint8Array, signWith: string) => SeenFields | undefined

const forms: readonly Form[] = [
  taprootPreimage,
  segwitPreimage,
  (bytes, signWith) => seeWhole(readPsbt(bytes).unsigned, signWith),
  (bytes, signWith) => seeWhole(readWireTransaction('the payload', bytes, 'with witness'), signWith),
  legacyPreimage,
]

const SIGHASH_TYPES: readonly number[] = [SIGHASH_ALL, 0x02, 0x03, 0x81, 0x82, 0x83]
const VERSIONS: readonly number[] = [1, 2, 3]

function taprootPreimage(bytes: Uint8Array): SeenFields | undefined {
  const reader = new ByteReader('the payload', bytes)
  const isTagged = [0, 1].every(() => equalBytes(reader.take(TAP_SIGHASH.length), TAP_SIGHASH))
  const [epoch, type] = reader.take(2)
  if (!isTagged || epoch !== 0 || type === undefined || ![SIGHASH_DEFAULT, ...SIGHASH_TYPES].includes(type)) {
    return undefined
  }
  return seeHead({ version: reader.uint32(), locktime: reader.uint32() })
}

function segwitPreimage(bytes: Uint8Array): SeenFields | undefined {
  const reader = new ByteReader('the payload', bytes)
  const version = reader.uint32()
  // The outpoints, the sequences, and the outpoint that is spent.
  reader.take(32 + 32 + 36)
  reader.sized()
  // The value, the sequence, and the outputs.
  reader.take(8 + 4 + 32)
  const locktime = reader.uint32()
  const type = reader.uint32()
  reader.end()
  return VERSIONS.includes(version) && SIGHASH_TYPES.includes(type)
    ? seeHead({ version, locktime })
    : undefined
}

function legacyPreimage(bytes: Uint8Array, signWith: string): SeenFields | undefined {
  const end = Math.max(bytes.length - 4, 0)
  const type = new ByteReader('the payload', bytes.subarray(end)).uint32()
  if (!SIGHASH_TYPES.includes(type)) return undefined
  const transaction = readWireTransaction('the payload', bytes.subarray(0, end), 'without witness')
  if (type === SIGHASH_ALL) return seeWhole(transaction, signWith)
  return isLikely(transaction) ? seeHead(transaction) : undefined
}

function seeWhole(transaction: WireTransaction, signWith: string): SeenFields | undefined {
  const { inputs, outputs } = transaction
  if (!isLikely(transaction)) return undefined
  const seen = { ...seeHead(transaction), inputs: inputs.map(seeInput) }
  const isSeen = outputs.every(({ script }) => readOutputScript(script) !== undefined)
  return isSeen ? { ...seen, outputs: seeOutputs(outputs, networkOf(signWith)) } : seen
}

/** Bytes that mean something else may read as a transaction of no inputs, or of a version that there is not. */
function isLikely({ version, inputs }: WireTransaction): boolean {
  return VERSIONS.includes(version) && inputs.length > 0
}

function ifReadable(read: () => SeenFields | undefined): SeenFields | undefined {
  try {
    return read()
  } catch (error) {
    // What a reader refuses is not in that form.
    if (error instanceof Failure) return undefined
    throw error
  }
}
