import { toHex } from '../../base/bytes.ts'
import { defineChain } from '../chain.ts'
import { unprefixed } from '../unprefixed.ts'
import { bitcoinNamespace } from './bitcoin-namespace.ts'
import { inputNotSigned, noInputToSign, unrecognizedScript } from './failures.ts'
import { PSBT_MAGIC } from './psbt.ts'
import { bitcoinPreimageSteps } from './read-bitcoin-preimage.ts'
import { bitcoinTransactionSteps } from './read-bitcoin-transaction.ts'
import { TAP_SIGHASH } from './sighash.ts'

export const bitcoin = defineChain({
  name: 'Bitcoin',
  keyword: 'bitcoin',
  namespace: bitcoinNamespace,
  curve: 'CURVE_SECP256K1',
  transaction: {
    type: 'TRANSACTION_TYPE_BITCOIN',
    read: (hex, signer) => bitcoinTransactionSteps(unprefixed(hex), signer, signer.signWith),
    fails: [unrecognizedScript, noInputToSign, inputNotSigned],
  },
  // A Bitcoin digest covers only a part of the transaction: no preimage shows the fee.
  payload: {
    hashFunction: 'HASH_FUNCTION_SHA256',
    shows: 'part',
    // The version of a transaction, a PSBT, and the tag of BIP-341's preimage.
    begins: new RegExp(`^(0[1-3]000000|${toHex(PSBT_MAGIC)}|${toHex(TAP_SIGHASH).slice(0, 8)})`),
    see: (bytes, { signWith }) => bitcoinPreimageSteps(bytes, signWith),
  },
  example: {
    publicKey: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
    signWith: 'bc1q5428vq2uzwhm3taey9sr9x5vm6tk78ew0wt525',
    unsigned:
      '70736274ff010052020000000189c2d15efa647304723e9ce5bcbbf0c38bd8d66e1ce4418eb6a5e72975100d950100000000ffffffff012823000000000000160014fe4e379a2263d069df3b8cd752ff01a649cfd22f000000000001011f1027000000000000160014a55476015c13afb8afb92160329a8cde976f1f2e0000',
  },
  comparedWith: ['@scure/btc-signer'],
})
