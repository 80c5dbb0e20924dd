import { defineChain } from '../chain.ts'
import { rawTempoSteps } from './raw-transaction.ts'
import { tempoNamespace } from './tempo-namespace.ts'
import { tempoTransactionSteps } from './transaction.ts'
import { TEMPO_TYPE } from './unsigned-transaction.ts'

export const tempo = defineChain({
  name: 'Tempo',
  keyword: 'tempo',
  namespace: tempoNamespace,
  curve: 'CURVE_SECP256K1',
  transaction: { type: 'TRANSACTION_TYPE_TEMPO', read: tempoTransactionSteps },
  payload: {
    hashFunction: 'HASH_FUNCTION_KECCAK256',
    shows: 'whole',
    begins: new RegExp(`^${TEMPO_TYPE.toString(16)}`),
    see: rawTempoSteps,
  },
  example: {
    publicKey: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
    signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    unsigned:
      '76f87882a5bf843b9aca00847735940082ea60f85ef85c945fbdb2315678afecb367f032d93f642f64180aa380b844a9059cbb0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc00000000000000000000000000000000000000000000000000000000000003e8c0800480808080c0',
  },
  comparedWith: ['viem'],
})
