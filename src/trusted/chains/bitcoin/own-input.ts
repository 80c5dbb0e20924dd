import { hash } from 'node:crypto'
import { asBuffer, concat, equalBytes } from '../../base/bytes.ts'
import { p2shRedeemScript } from '../bitcoin-script.ts'
import { hash160 } from '../hash160.ts'
import { inputNotSigned } from './failures.ts'
import { type OutputScript, readOutputScript } from './output-script.ts'
import { type PsbtMap, valueOf } from './psbt.ts'
import { lookForKey } from './script-keys.ts'
import { SIGHASH_ALL, SIGHASH_DEFAULT } from './sighash.ts'
import { PSBT_IN, type SpentOutput } from './spent-output.ts'

/** The way to sign an input of the key. `scriptCode`: the script code in the digest (BIP-143). */
export type OwnInput =
  | {
      readonly kind: 'legacy' | 'segwit'
      readonly scriptCode: Uint8Array
      /** The field of the script behind the hash, where there is one. */
      readonly scriptField?: number
    }
  | { readonly kind: 'taproot'; readonly scriptField?: undefined }

type SigningKey = {
  /** 33 bytes, compressed: a key that is hashed or pushed uncompressed counts as a different key. */
  readonly publicKey: Uint8Array
  /** The x of its Taproot output key, 32 bytes; undefined when no input spends an output of Taproot. */
  readonly outputKey: Uint8Array | undefined
  /** The script hash of the P2SH address, where the request names the key by one. */
  readonly namedScriptHash: Uint8Array | undefined
}

/**
 * The way to sign an input that belongs to the key; undefined for an input of others, which stays unchanged.
 *
 * @throws Failure `inputNotSigned` for an input of the key that breaks the rules of
 *         docs/decisions/bitcoin-transactions.md
 */
export function ownInput(
  input: number,
  map: PsbtMap,
  spent: SpentOutput,
  key: SigningKey,
): OwnInput | undefined {
  const script = readOutputScript(spent.script)
  const own = script && ownScript(input, map, script, key)
  if (own === undefined) return undefined
  expectUtxo(input, spent, own)
  expectKnownFields(input, map, own)
  expectUnsigned(input, map, own, key)
  expectSighashType(input, map, own)
  return own
}

function ownScript(
  input: number,
  map: PsbtMap,
  { type, program }: OutputScript,
  key: SigningKey,
): OwnInput | undefined {
  switch (type) {
    case 'P2PKH':
      return equalBytes(program, hash160(key.publicKey))
        ? { kind: 'legacy', scriptCode: pkhScript(program) }
        : undefined
    case 'P2WPKH':
      return equalBytes(program, hash160(key.publicKey))
        ? { kind: 'segwit', scriptCode: pkhScript(program) }
        : undefined
    case 'P2SH':
      return behindScriptHash(input, map, program, key)
    case 'P2WSH':
      return behindWitnessScriptHash(input, map, program, key)
    case 'P2TR':
      return behindOutputKey(input, map, program, key)
  }
}

function behindScriptHash(
  input: number,
  map: PsbtMap,
  program: Uint8Array,
  key: SigningKey,
): OwnInput | undefined {
  const nested = p2shRedeemScript(key.publicKey)
  const redeemScript = valueOf(map, PSBT_IN.redeemScript)
  const isNested = equalBytes(program, hash160(nested))
  if (redeemScript === undefined) {
    if (!isNested) return undefined
    throw inputNotSigned({ input, why: 'it has no redeem_script' })
  }
  if (!equalBytes(program, hash160(redeemScript))) {
    throw inputNotSigned({ input, why: 'its redeem_script is not that of the output' })
  }
  if (isNested) {
    // The only form of nested segwit that is signed: that of this service's addresses, where the request names one.
    if (key.namedScriptHash !== undefined && equalBytes(program, key.namedScriptHash)) {
      return {
        kind: 'segwit',
        scriptCode: pkhScript(hash160(key.publicKey)),
        scriptField: PSBT_IN.redeemScript,
      }
    }
    throw inputNotSigned({ input, why: WRAPPED })
  }
  const inner = readOutputScript(redeemScript)
  if (inner?.type === 'P2WSH') {
    const own = behindWitnessScriptHash(input, map, inner.program, key)
    if (own !== undefined) throw inputNotSigned({ input, why: WRAPPED })
    return undefined
  }
  return runsKey(input, redeemScript, key)
    ? { kind: 'legacy', scriptCode: redeemScript, scriptField: PSBT_IN.redeemScript }
    : undefined
}

function behindWitnessScriptHash(
  input: number,
  map: PsbtMap,
  program: Uint8Array,
  key: SigningKey,
): OwnInput | undefined {
  const witnessScript = valueOf(map, PSBT_IN.witnessScript)
  if (witnessScript === undefined) return undefined
  if (!equalBytes(program, hash('sha256', witnessScript, 'buffer'))) {
    throw inputNotSigned({ input, why: 'its witness_script is not that of the output' })
  }
  return runsKey(input, witnessScript, key)
    ? { kind: 'segwit', scriptCode: witnessScript, scriptField: PSBT_IN.witnessScript }
    : undefined
}

function behindOutputKey(
  input: number,
  map: PsbtMap,
  program: Uint8Array,
  { publicKey, outputKey }: SigningKey,
): OwnInput | undefined {
  const isOwn = outputKey !== undefined && equalBytes(program, outputKey)
  const internalKey = valueOf(map, PSBT_IN.tapInternalKey)
  const isOfKey = internalKey !== undefined && equalBytes(internalKey, publicKey.subarray(1))
  if (!isOwn && isOfKey) throw inputNotSigned({ input, why: 'its key is tweaked with a script tree' })
  if (isOwn && internalKey !== undefined && !isOfKey) {
    throw inputNotSigned({ input, why: 'its tap_internal_key is not that of the output' })
  }
  return isOwn ? { kind: 'taproot' } : undefined
}

function runsKey(input: number, script: Uint8Array, { publicKey }: SigningKey): boolean {
  const { hasKey, hasSeparator } = lookForKey(script, publicKey)
  if (hasKey && hasSeparator) throw inputNotSigned({ input, why: 'its script has OP_CODESEPARATOR' })
  return hasKey
}

function expectUtxo(
  input: number,
  { hasTransaction, hasWitnessUtxo }: SpentOutput,
  { kind }: OwnInput,
): void {
  if (kind === 'legacy' ? hasTransaction : hasWitnessUtxo) return
  throw inputNotSigned({
    input,
    why: `it has no ${kind === 'legacy' ? 'non_witness_utxo' : 'witness_utxo'}`,
  })
}

/** An unknown field may change the meaning of a signature. */
function expectKnownFields(input: number, map: PsbtMap, { kind, scriptField }: OwnInput): void {
  const known = kind === 'taproot' ? TAPROOT_FIELDS : SCRIPT_FIELDS
  const unknown = map.find(
    ({ key: [type] }) => type === undefined || !(known.has(type) || type === scriptField),
  )
  if (unknown === undefined) return
  const type = unknown.key[0] ?? 0
  const isFinal = type === PSBT_IN.finalScriptSig || type === PSBT_IN.finalScriptWitness
  throw inputNotSigned({
    input,
    why: isFinal ? 'it is final already' : `it has a field of type 0x${type.toString(16).padStart(2, '0')}`,
  })
}

function expectUnsigned(input: number, map: PsbtMap, { kind }: OwnInput, { publicKey }: SigningKey): void {
  const own = kind === 'taproot' ? Uint8Array.of(PSBT_IN.tapKeySig) : partialSigKey(publicKey)
  if (map.some(({ key }) => equalBytes(key, own))) {
    throw inputNotSigned({ input, why: 'it has a signature of the key already' })
  }
}

function expectSighashType(input: number, map: PsbtMap, { kind }: OwnInput): void {
  const bytes = valueOf(map, PSBT_IN.sighashType)
  if (bytes === undefined) return
  const needed = kind === 'taproot' ? SIGHASH_DEFAULT : SIGHASH_ALL
  if (bytes.length === 4 && asBuffer(bytes).readUInt32LE() === needed) return
  throw inputNotSigned({
    input,
    why: `its sighash type is not ${kind === 'taproot' ? 'SIGHASH_DEFAULT' : 'SIGHASH_ALL'}`,
  })
}

/** The key of the field that holds an ECDSA signature. */
export function partialSigKey(publicKey: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(PSBT_IN.partialSig), publicKey)
}

/** @param hash  20 bytes */
function pkhScript(hash: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac))
}

const WRAPPED = 'it spends segwit wrapped in a script hash'

const SCRIPT_FIELDS: ReadonlySet<number> = new Set([
  PSBT_IN.nonWitnessUtxo,
  PSBT_IN.witnessUtxo,
  PSBT_IN.partialSig,
  PSBT_IN.sighashType,
  PSBT_IN.bip32Derivation,
  PSBT_IN.proprietary,
])

const TAPROOT_FIELDS: ReadonlySet<number> = new Set([
  PSBT_IN.nonWitnessUtxo,
  PSBT_IN.witnessUtxo,
  PSBT_IN.sighashType,
  PSBT_IN.bip32Derivation,
  PSBT_IN.tapKeySig,
  PSBT_IN.tapBip32Derivation,
  PSBT_IN.tapInternalKey,
  PSBT_IN.proprietary,
])
