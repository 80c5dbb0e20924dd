import { asOneStep } from '../../base/work.ts'
import { defineChain } from '../chain.ts'
import { unprefixed } from '../unprefixed.ts'
import { seeRawTron } from './raw-payload.ts'
import { readTronTransaction } from './read-tron-transaction.ts'
import { tronNamespace } from './tron-namespace.ts'

export const tron = defineChain({
  name: 'Tron',
  keyword: 'tron',
  namespace: tronNamespace,
  curve: 'CURVE_SECP256K1',
  transaction: {
    type: 'TRANSACTION_TYPE_TRON',
    read: (hex, signer) => asOneStep(() => readTronTransaction(unprefixed(hex), signer)),
  },
  payload: {
    hashFunction: 'HASH_FUNCTION_SHA256',
    shows: 'whole',
    // A protobuf field that a node accepts: its number is not 0, and its wire type is 0, 1, 2, 3 or 5.
    begins: /^(0[89abd]|[1-9a-f][0-3589abd])/,
    see: (bytes) => asOneStep(() => seeRawTron(bytes)),
  },
  example: {
    publicKey: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
    signWith: 'TYBNgWfhGuNzdLtjKtxXTfskAhTbMcqbaG',
    unsigned:
      '0a02ab125a65080112610a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412300a1541aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa121541bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb1805',
  },
  comparedWith: [],
})
