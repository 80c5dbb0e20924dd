import { asOneStep } from '../../base/work.ts'
import { defineChain } from '../chain.ts'
import { ethereumInterfaceSteps } from './abi.ts'
import { calledContract } from './called-contract.ts'
import { authorizationDigest, parseAuthorization } from './eip7702.ts'
import { parseTypedData } from './eip712.ts'
import { typedDataDigestSteps } from './eip712-digest.ts'
import { ethNamespace } from './eth-namespace.ts'
import { rawTransactionSteps } from './raw-transaction.ts'
import { seenAuthorization } from './seen-authorization.ts'
import { seenTypedData } from './seen-typed-data.ts'
import { ethereumTransactionSteps } from './transaction.ts'

const NO_INTERFACE = 'when no interface of the contract is uploaded'
const OTHER_TYPE = 'when the transaction is of a type without it'

export const ethereum = defineChain({
  name: 'Ethereum',
  keyword: 'eth',
  namespace: ethNamespace,
  lacks: {
    'tx.function_name': NO_INTERFACE,
    'tx.function_signature': NO_INTERFACE,
    'tx.contract_call_args': NO_INTERFACE,
    'tx.max_fee_per_gas': OTHER_TYPE,
    'tx.max_priority_fee_per_gas': OTHER_TYPE,
    'tx.max_fee_per_blob_gas': OTHER_TYPE,
  },
  curve: 'CURVE_SECP256K1',
  transaction: {
    type: 'TRANSACTION_TYPE_ETHEREUM',
    read: (hex, signer) => ethereumTransactionSteps(hex, signer, signer.interfaces),
    contractsCalled: calledContract,
  },
  payload: {
    hashFunction: 'HASH_FUNCTION_KECCAK256',
    shows: 'whole',
    // Its types 1 to 4, an authorization (EIP-7702), and lists: the legacy transactions.
    begins: /^(0[1-5]|[c-f])/,
    see: rawTransactionSteps,
    contractsCalled: calledContract,
  },
  encodings: [
    {
      encoding: 'PAYLOAD_ENCODING_EIP712',
      what: 'typed data',
      part: 'eip_712',
      isSeenInBytes: false,
      *read(payload) {
        const data = parseTypedData(payload)
        return { bytes: yield* typedDataDigestSteps(data), seen: { eth: { eip_712: seenTypedData(data) } } }
      },
    },
    {
      encoding: 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
      what: 'an authorization',
      part: 'eip_7702_authorization',
      isSeenInBytes: true,
      read: (payload) =>
        asOneStep(() => {
          const authorization = parseAuthorization(payload)
          return {
            bytes: authorizationDigest(authorization),
            seen: { eth: { eip_7702_authorization: seenAuthorization(authorization) } },
          }
        }),
    },
  ],
  interfaces: {
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    kind: 'ethereum',
    isAddress: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
    *check(text) {
      yield* ethereumInterfaceSteps(text)
    },
  },
  example: {
    publicKey: '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
    signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    unsigned: '02e90180843b9aca008477359400825208943c44cdddb6a900fa2b585dd299e03d12fa4293bc8203e880c0',
  },
  comparedWith: ['ethers', 'micro-eth-signer', 'viem'],
})
