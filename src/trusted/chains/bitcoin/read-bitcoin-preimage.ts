import { equalBytes } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { finished, type Steps } from '../../base/work.ts'
import type { SeenFields } from '../transaction.ts'
import { ByteReader } from './byte-reader.ts'
import { networkOf } from '../bitcoin-network.ts'
import { readOutputScript } from './output-script.ts'
import { PSBT_MAGIC, readPsbt } from './psbt.ts'
import { seeHead, seeInput, seeOutputSteps } from './read-bitcoin-transaction.ts'
import { SIGHASH_ALL, SIGHASH_DEFAULT, TAP_SIGHASH } from './sighash.ts'
import { readWireTransaction, type WireOutput, type WireTransaction } from './wire-transaction.ts'

/**
 * The facts of raw bytes that are a Bitcoin transaction or the preimage of a digest: a PSBT, a transaction on the wire,
 * a preimage from before segwit, of BIP-143 or of BIP-341. Undefined for other bytes.
 *
 * Only complete lists are shown: a preimage that has the inputs and outputs as hashes, or in part, shows version and
 * lock time only, and no preimage shows a fee. A digest of 32 bytes shows nothing, since it looks like any other
 * digest.
 *
 * @param signWith  as for `readBitcoinTransaction`
 */
export function readBitcoinPreimage(bytes: Uint8Array, signWith: string): SeenFields | undefined {
  return finished(bitcoinPreimageSteps(bytes, signWith))
}

/** The same in steps. */
export function* bitcoinPreimageSteps(bytes: Uint8Array, signWith: string): Steps<SeenFields | undefined> {
  for (const form of formsOf(bytes)) {
    const shown = ifReadable(() => form(bytes))
    if (shown === undefined) continue
    const { seen, outputs } = shown
    if (outputs === undefined) return { bitcoin: { tx: seen } }
    return { bitcoin: { tx: { ...seen, outputs: yield* seeOutputSteps(outputs, networkOf(signWith)) } } }
  }
  return undefined
}

/** Without outputs where they are incomplete, or one of them has no address. */
type Shown = { readonly seen: SeenFields; readonly outputs?: readonly WireOutput[] }
type Form = (bytes: Uint8Array) => Shown | undefined

/**
 * The possible forms of bytes by their beginning. Nearly all payloads match no form; a full reader would take as long
 * as the signature to refuse them.
 */
function formsOf(bytes: Uint8Array): readonly Form[] {
  if (beginsWith(bytes, TAP_SIGHASH)) return [taprootPreimage]
  if (beginsWith(bytes, PSBT_MAGIC)) return [wholePsbt]
  const [version = 0, ...rest] = bytes.subarray(0, 4)
  const isVersion = VERSIONS.includes(version) && rest.length === 3 && rest.every((byte) => byte === 0)
  return isVersion ? [segwitPreimage, wholeTransaction, legacyPreimage] : []
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return equalBytes(bytes.subarray(0, start.length), start)
}

const SIGHASH_TYPES: readonly number[] = [SIGHASH_ALL, 0x02, 0x03, 0x81, 0x82, 0x83]
const VERSIONS: readonly number[] = [1, 2, 3]

function taprootPreimage(bytes: Uint8Array): Shown | undefined {
  const reader = new ByteReader('the payload', bytes)
  const isTagged = [0, 1].every(() => equalBytes(reader.take(TAP_SIGHASH.length), TAP_SIGHASH))
  const [epoch, type] = reader.take(2)
  if (!isTagged || epoch !== 0 || type === undefined || ![SIGHASH_DEFAULT, ...SIGHASH_TYPES].includes(type)) {
    return undefined
  }
  return { seen: seeHead({ version: reader.uint32(), locktime: reader.uint32() }) }
}

function segwitPreimage(bytes: Uint8Array): Shown | undefined {
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
    ? { seen: seeHead({ version, locktime }) }
    : undefined
}

function wholePsbt(bytes: Uint8Array): Shown | undefined {
  return seeWhole(readPsbt(bytes).unsigned)
}

function wholeTransaction(bytes: Uint8Array): Shown | undefined {
  return seeWhole(readWireTransaction('the payload', bytes, 'with witness'))
}

function legacyPreimage(bytes: Uint8Array): Shown | undefined {
  const end = Math.max(bytes.length - 4, 0)
  const type = new ByteReader('the payload', bytes.subarray(end)).uint32()
  if (!SIGHASH_TYPES.includes(type)) return undefined
  const transaction = readWireTransaction('the payload', bytes.subarray(0, end), 'without witness')
  if (type === SIGHASH_ALL) return seeWhole(transaction)
  return isLikely(transaction) ? { seen: seeHead(transaction) } : undefined
}

function seeWhole(transaction: WireTransaction): Shown | undefined {
  const { inputs, outputs } = transaction
  if (!isLikely(transaction)) return undefined
  const seen = { ...seeHead(transaction), inputs: inputs.map(seeInput) }
  const isSeen = outputs.every(({ script }) => readOutputScript(script) !== undefined)
  return isSeen ? { seen, outputs } : { seen }
}

/** Bytes with another meaning may parse as a transaction without inputs, or of an undefined version. */
function isLikely({ version, inputs }: WireTransaction): boolean {
  return VERSIONS.includes(version) && inputs.length > 0
}

function ifReadable(read: () => Shown | undefined): Shown | undefined {
  try {
    return read()
  } catch (error) {
    // Refused by the reader, so not in that form.
    if (error instanceof Failure) return undefined
    throw error
  }
}
