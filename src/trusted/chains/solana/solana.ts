import { costs } from '../../base/costs.ts'
import { defineChain } from '../chain.ts'
import { solanaKeyOf } from '../solana-address.ts'
import { calledPrograms } from './called-programs.ts'
import { checkSolanaInterface } from './idl.ts'
import { solanaMessageSteps } from './raw-message.ts'
import { solanaNamespace } from './solana-namespace.ts'
import { solanaTransactionSteps } from './transaction.ts'
import { messageIn } from './wire-message.ts'

export const solana = defineChain({
  name: 'Solana',
  keyword: 'solana',
  namespace: solanaNamespace,
  curve: 'CURVE_ED25519',
  transaction: {
    type: 'TRANSACTION_TYPE_SOLANA',
    read: (hex, signer) => solanaTransactionSteps(hex, signer, signer.interfaces),
    contractsCalled: (wire) => calledPrograms(messageIn(wire)),
  },
  payload: {
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    shows: 'whole',
    // The number of signers of a legacy message, or version 0. The domain digest at the beginning of an Aptos message
    // is not a valid header: 94 of 79 keys would have to sign.
    begins: /^(?!5efa3c4f)([0-7]|80)/,
    see: (bytes, { interfaces }) => solanaMessageSteps(bytes, interfaces),
    contractsCalled: calledPrograms,
  },
  interfaces: {
    type: 'SMART_CONTRACT_INTERFACE_TYPE_SOLANA',
    kind: 'solana',
    isAddress: (text) => solanaKeyOf(text) !== undefined,
    *check(text, address) {
      yield text.length * costs.interfaceCharacter
      checkSolanaInterface(text, address)
    },
  },
  example: {
    publicKey: '468995cdd3c27569e004c89098c44bf584b1a4c6cd89a203fc47825f48684964',
    signWith: '5kMDkdera2vkpd3XkjMd851WJ4EnE9nxGcukW2mW7AU3',
    unsigned:
      '010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001000103468995cdd3c27569e004c89098c44bf584b1a4c6cd89a203fc47825f4868496402020202020202020202020202020202020202020202020202020202020202020000000000000000000000000000000000000000000000000000000000000000070707070707070707070707070707070707070707070707070707070707070701020200010c02000000e803000000000000',
  },
  comparedWith: ['@solana/web3.js'],
})
