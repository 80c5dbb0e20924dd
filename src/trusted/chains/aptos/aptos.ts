import { toHex } from '../../base/bytes.ts'
import { defineChain } from '../chain.ts'
import { aptosNamespace } from './aptos-namespace.ts'
import { APTOS_DOMAINS, aptosMessageSteps } from './signing-message.ts'

/**
 * Its transactions are signed as raw payloads: the interface has no type for them
 * (docs/decisions/aptos-transactions.md).
 */
export const aptos = defineChain({
  name: 'Aptos',
  keyword: 'aptos',
  namespace: aptosNamespace,
  lacks: { 'tx.replay_protection_nonce': 'when the transaction has a sequence number' },
  curve: 'CURVE_ED25519',
  payload: {
    hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    shows: 'whole',
    begins: new RegExp(`^(${APTOS_DOMAINS.map((domain) => toHex(domain).slice(0, 8)).join('|')})`),
    see: aptosMessageSteps,
  },
  example: {
    publicKey: '468995cdd3c27569e004c89098c44bf584b1a4c6cd89a203fc47825f48684964',
    signWith: '0x896f7c28432dc223478a0ff3e9325d23f97e8bc261c1896eab85ee20c1f66183',
    unsigned:
      'b5e97db07fa0bd0e5598aa3643a9bc6f6693bddc1a9fec9e674a461eaa00b193896f7c28432dc223478a0ff3e9325d23f97e8bc261c1896eab85ee20c1f6618307000000000000000200000000000000000000000000000000000000000000000000000000000000010d6170746f735f6163636f756e74087472616e73666572000220bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb08e803000000000000d007000000000000640000000000000000d2496b0000000001',
  },
  // The published package is larger than this service; transactions that it wrote are in `test/vectors/aptos`.
  comparedWith: [],
})
