import { equalBytes } from '../../../trusted/base/bytes.ts'
import { partialSigKey } from '../../../trusted/chains/bitcoin/own-input.ts'
import { readPsbt } from '../../../trusted/chains/bitcoin/psbt.ts'
import { PSBT_IN } from '../../../trusted/chains/bitcoin/spent-output.ts'
import { readDer } from '../../../trusted/crypto/der.ts'
import { SECP256K1_ORDER } from '../../../trusted/crypto/scalar.ts'
// The words of the chain are loaded already, and share the reader.
import './bitcoin-words.ts'

/** The signatures that were added to the maps of the inputs: of ECDSA under this key, and of Schnorr. */
export function signaturesInBitcoin(
  signed: Uint8Array,
  unsigned: Uint8Array,
  publicKey: Uint8Array,
): readonly Uint8Array[] {
  const asked = readPsbt(unsigned).inputs
  const [ecdsa, schnorr] = [partialSigKey(publicKey), Uint8Array.of(PSBT_IN.tapKeySig)]
  return readPsbt(signed).inputs.flatMap((map, index) =>
    map.flatMap(({ key, value }) => {
      if (asked[index]?.some((before) => equalBytes(before.key, key)) === true) return []
      if (equalBytes(key, schnorr)) return [value]
      // A byte for the sighash type follows.
      return equalBytes(key, ecdsa)
        ? [readDer(value.subarray(0, -1), SECP256K1_ORDER) ?? new Uint8Array()]
        : []
    }),
  )
}
