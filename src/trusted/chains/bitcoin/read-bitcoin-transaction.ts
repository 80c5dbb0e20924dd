import { assert, present } from '../../base/assert.ts'
import { concat, fromHex, toHex } from '../../base/bytes.ts'
import { costs } from '../../base/costs.ts'
import { finished, type Steps } from '../../base/work.ts'
import { caseless } from '../../base/caseless.ts'
import { writeDer } from '../../crypto/der.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import { bitcoinAddress } from '../bitcoin-address.ts'
import { p2shRedeemScript, taprootOutputKey } from '../bitcoin-script.ts'
import { invalidTransaction, unreadableTransaction, wrongCurveForTransaction } from '../failures.ts'
import { hash160 } from '../hash160.ts'
import type { ReadTransaction, SeenFields, ToSign, TransactionSigner } from '../transaction.ts'
import { noInputToSign, unrecognizedScript } from './failures.ts'
import { type AddressNetwork, networkOf } from '../bitcoin-network.ts'
import { addressOfScript, readOutputScript } from './output-script.ts'
import { type OwnInput, ownInput, partialSigKey } from './own-input.ts'
import { type Psbt, type PsbtPair, readPsbt, withPair, writePsbt } from './psbt.ts'
import { sameReadingSteps } from './second-reading.ts'
import { SIGHASH_ALL, type Sighashes, sighashesOf } from './sighash.ts'
import { MONEY_MAX, PSBT_IN, type SpentOutput, spentOutput } from './spent-output.ts'
import type { WireInput, WireOutput, WireTransaction } from './wire-transaction.ts'

/**
 * Reads a partially signed Bitcoin transaction (PSBT, version 0) and finds the inputs that belong to the key, whichever
 * of its addresses the request names. The rules are in docs/decisions/bitcoin-transactions.md.
 *
 * @param hex       the PSBT, without `0x`
 * @param signWith  as the caller named the key; a Bitcoin address decides for which network addresses are shown
 * @throws Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction`,
 *                 `wrongCurveForTransaction`, `unrecognizedScript`, `noInputToSign` or `inputNotSigned`
 */
export function readBitcoinTransaction(
  hex: string,
  signer: TransactionSigner,
  signWith: string,
): ReadTransaction {
  return finished(bitcoinTransactionSteps(hex, signer, signWith))
}

/** The same in steps. */
export function* bitcoinTransactionSteps(
  hex: string,
  signer: TransactionSigner,
  signWith: string,
): Steps<ReadTransaction> {
  if (signer.curve !== 'CURVE_SECP256K1') {
    throw wrongCurveForTransaction({ chain: 'Bitcoin', needed: 'CURVE_SECP256K1', curve: signer.curve })
  }
  const { psbt, spent, seen } = yield* wholePsbtSteps(hex, signWith)
  const { unsigned } = psbt
  const publicKey = present(fromHex(signer.publicKey), 'a public key is hexadecimal')
  const own = yield* ownInputs(psbt, spent, publicKey, signWith)
  const sighashes = sighashesOf(unsigned, spent)
  const signed: ToSign[] = []
  for (const { index, input } of own) {
    // Before segwit, the whole transaction is hashed for each input.
    const bytes = input.kind === 'legacy' ? psbt.unsignedBytes.length : 0
    yield costs.transactionInput + bytes * costs.hashedByte
    signed.push(toSign(sighashes, spent, index, input))
  }
  return {
    seen,
    toSign: signed,
    signed: (signatures) => signedPsbt(psbt, own, publicKey, signatures),
  }
}

/**
 * A PSBT, the outputs that its inputs spend, and its facts for policies, independent of the signing key.
 *
 * @throws Failure as above, except for what depends on the key
 */
export function* wholePsbtSteps(
  hex: string,
  signWith: string,
): Steps<{ readonly psbt: Psbt; readonly spent: readonly SpentOutput[]; readonly seen: SeenFields }> {
  const bytes = fromHex(hex)
  if (bytes === undefined) throw unreadableTransaction({ what: 'it is not hexadecimal' })
  const psbt = readPsbt(bytes)
  const { unsigned } = psbt
  const outputs = yield* seeOutputSteps(unsigned.outputs, networkOf(signWith))
  const spent: SpentOutput[] = []
  for (const [index, input] of unsigned.inputs.entries()) {
    const map = present(psbt.inputs[index], 'a map for each input')
    yield costs.transactionInput
    spent.push(spentOutput(index, input, map))
  }
  yield* sameReadingSteps(bytes, psbt, spent)
  const fee = feeOf(spent, unsigned.outputs)
  const tx = { ...seeHead(unsigned), inputs: unsigned.inputs.map(seeInput), outputs, fee }
  return { psbt, spent, seen: { bitcoin: { tx } } }
}

export function seeHead({ version, locktime }: Pick<WireTransaction, 'version' | 'locktime'>): SeenFields {
  return {
    version: String(version),
    locktime: { amount: BigInt(locktime), type: locktime < LOCKTIME_THRESHOLD ? 'Blocks' : 'Seconds' },
  }
}

export function seeInput({ previousId, vout, sequence }: Omit<WireInput, 'scriptSig'>): SeenFields {
  return { tx_id: toHex(previousId.toReversed()), vout: BigInt(vout), sequence: BigInt(sequence) }
}

/** @throws Failure `unrecognizedScript` for an output that has no address */
export function* seeOutputSteps(
  outputs: readonly WireOutput[],
  network: AddressNetwork,
): Steps<readonly SeenFields[]> {
  const seen: SeenFields[] = []
  for (const { value, script } of outputs) {
    yield costs.transactionInput
    const known = readOutputScript(script)
    if (known === undefined) throw unrecognizedScript()
    seen.push({
      value,
      script_pubkey: toHex(script),
      address: addressOfScript(network, known),
      address_type: caseless(known.type),
    })
  }
  return seen
}

/** Below it, a lock time counts blocks; from it on, seconds since the Unix epoch. */
const LOCKTIME_THRESHOLD = 500_000_000
// A Schnorr signature takes milliseconds, and the vault's other requests wait meanwhile.
const TAPROOT_INPUTS_MAX = 100

/** In satoshi: the inputs less the outputs. */
function feeOf(spent: readonly WireOutput[], outputs: readonly WireOutput[]): bigint {
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  if (paid > MONEY_MAX)
    throw invalidTransaction({ what: 'the outputs exceed the number of bitcoins that can exist' })
  const fee = spent.reduce((sum, { value }) => sum + value, 0n) - paid
  if (fee < 0n) throw invalidTransaction({ what: `the outputs exceed the inputs by ${-fee} satoshi` })
  return fee
}

type IndexedInput = { readonly index: number; readonly input: OwnInput }

function* ownInputs(
  psbt: Psbt,
  spent: readonly SpentOutput[],
  publicKey: Uint8Array,
  signWith: string,
): Steps<readonly IndexedInput[]> {
  const hasTaproot = spent.some(({ script }) => readOutputScript(script)?.type === 'P2TR')
  const key = {
    publicKey,
    outputKey: hasTaproot ? taprootOutputKey(publicKey) : undefined,
    namedScriptHash: namedScriptHash(publicKey, signWith),
  }
  const own: IndexedInput[] = []
  for (const [index, output] of spent.entries()) {
    yield costs.transactionInput
    const input = ownInput(index, present(psbt.inputs[index], 'a map for each input'), output, key)
    if (input !== undefined) own.push({ index, input })
  }
  if (own.length === 0) throw noInputToSign({ inputs: spent.length })
  const taproot = own.filter(({ input }) => input.kind === 'taproot').length
  if (taproot > TAPROOT_INPUTS_MAX) {
    throw invalidTransaction({
      what: `${taproot} inputs need a Schnorr signature, which is more than ${TAPROOT_INPUTS_MAX}`,
    })
  }
  return own
}

function namedScriptHash(publicKey: Uint8Array, signWith: string): Uint8Array | undefined {
  const addresses = [bitcoinAddress('MAINNET', 'P2SH'), bitcoinAddress('TESTNET', 'P2SH')]
  return addresses.some((address) => address(publicKey) === signWith)
    ? hash160(p2shRedeemScript(publicKey))
    : undefined
}

function toSign(sighashes: Sighashes, spent: readonly SpentOutput[], index: number, input: OwnInput): ToSign {
  const { value } = present(spent[index], 'a spent output for each input')
  switch (input.kind) {
    case 'legacy':
      return { bytes: sighashes.legacy(index, input.scriptCode), scheme: 'curve' }
    case 'segwit':
      return { bytes: sighashes.segwit(index, input.scriptCode, value), scheme: 'curve' }
    case 'taproot':
      return { bytes: sighashes.taproot(index), scheme: 'taproot' }
  }
}

/** The PSBT with the signatures added, not finalised. All other bytes stay unchanged. */
function signedPsbt(
  psbt: Psbt,
  own: readonly IndexedInput[],
  publicKey: Uint8Array,
  signatures: readonly ResourceSignature[],
): string {
  assert(signatures.length === own.length, 'a signature for each digest')
  const inputs = own.reduce(
    (maps, { index, input }, at) =>
      maps.with(
        index,
        withPair(
          present(maps[index], 'a map for each input'),
          signatureField(input, publicKey, present(signatures[at], 'a signature for each digest')),
        ),
      ),
    psbt.inputs,
  )
  return toHex(writePsbt({ ...psbt, inputs }))
}

/** @see BIP-174, PSBT_IN_PARTIAL_SIG; BIP-371, PSBT_IN_TAP_KEY_SIG */
function signatureField({ kind }: OwnInput, publicKey: Uint8Array, { r, s }: ResourceSignature): PsbtPair {
  const rs = present(fromHex(r + s), 'a signature is hexadecimal')
  return kind === 'taproot'
    ? { key: Uint8Array.of(PSBT_IN.tapKeySig), value: rs }
    : { key: partialSigKey(publicKey), value: concat(writeDer(rs), Uint8Array.of(SIGHASH_ALL)) }
}
