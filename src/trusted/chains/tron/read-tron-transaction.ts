import { sha256 } from '@noble/hashes/sha2.js'
import { assert, present } from '../../base/assert.ts'
import { concat, fromHex, toHex } from '../../base/bytes.ts'
import type { ResourceSignature } from '../../crypto/signature.ts'
import {
  invalidTransaction,
  unreadableTransaction,
  unsupportedTransactionType,
  wrongCurveForTransaction,
} from '../failures.ts'
import type { ReadTransaction, SeenFields, TransactionSigner } from '../transaction.ts'
import { tronContracts } from './contracts.ts'
import { looseContract } from './loose-contract.ts'
import { firstBytesOf, type Message, readMessage, writeBytesField } from './protobuf.ts'

/**
 * Reads `raw_data` of a Tron transaction, only in the encoding of the published encoders. The owner of the contract may
 * be another account than that of the signing key: docs/decisions/tron-transactions.md.
 *
 * @param hex  the protobuf `Transaction.raw`, without `0x`
 * @throws Failure `unreadableTransaction`, `unsupportedTransactionType`, `invalidTransaction` or
 *                 `wrongCurveForTransaction`
 * @see    protocol/core/Tron.proto of tronprotocol
 */
export function readTronTransaction(hex: string, signer: TransactionSigner): ReadTransaction {
  if (signer.curve !== 'CURVE_SECP256K1') {
    throw wrongCurveForTransaction({ chain: 'Tron', needed: 'CURVE_SECP256K1', curve: signer.curve })
  }
  const rawData = fromHex(hex)
  if (rawData === undefined) throw unreadableTransaction({ what: 'it is not hexadecimal' })
  return {
    seen: seeTronTransaction(rawData),
    toSign: [{ bytes: sha256(rawData), scheme: 'curve' }],
    signed: (signatures) => signedTransaction(rawData, signatures),
  }
}

/** The facts of `raw_data`; the digest is its SHA-256, so a raw payload may be `raw_data` too. */
export function seeTronTransaction(rawData: Uint8Array): SeenFields {
  const { contract, ref_block_bytes, ref_block_hash, data, ...fields } = readMessage(
    'raw_data',
    rawSchema,
    rawData,
  )
  const [only, ...others] = contract
  if (only === undefined || others.length > 0) {
    throw invalidTransaction({ what: `raw_data has ${contract.length} contracts instead of one` })
  }
  return {
    tron: {
      tx: {
        ...fields,
        ref_block_bytes: toHex(ref_block_bytes),
        ref_block_hash: toHex(ref_block_hash),
        data: toHex(data),
        contract: [seeContract(only)],
      },
    },
  }
}

/**
 * Whether bytes begin like `raw_data`. Most other bytes do not, and the full check would take as long as signing them.
 */
export function isLikeTron([first = 0]: Uint8Array): boolean {
  return FIRST_BYTES.has(first)
}

/**
 * Whether a node would accept the bytes as a transaction with one supported contract and a parameter of its type. Their
 * encoding or content may still be refused here.
 */
export function isLooselyTron(rawData: Uint8Array): boolean {
  const contract = looseContract(rawData)
  const known = contract && tronContracts.get(contract.type)
  return known !== undefined && contract?.message === `protocol.${known.name}`
}

// The fields 3 (ref_block_num), 9 (auths) and 12 (scripts) of `raw`, and 3 (provider) and 4 (ContractName) of
// `Contract`, are out of use and not shown to policies, so they are unknown here.
const contractSchema = {
  type: { number: 1, kind: 'int32' },
  parameter: {
    number: 2,
    kind: 'message',
    of: { type_url: { number: 1, kind: 'text' }, value: { number: 2, kind: 'bytes' } },
  },
  Permission_id: { number: 5, kind: 'int32' },
} as const

const rawSchema = {
  ref_block_bytes: { number: 1, kind: 'bytes' },
  ref_block_hash: { number: 4, kind: 'bytes' },
  expiration: { number: 8, kind: 'int64' },
  data: { number: 10, kind: 'bytes' },
  contract: { number: 11, kind: 'list', of: contractSchema },
  timestamp: { number: 14, kind: 'int64' },
  fee_limit: { number: 18, kind: 'int64' },
} as const

const FIRST_BYTES = firstBytesOf(rawSchema)

function seeContract({ type, parameter, Permission_id }: Message<typeof contractSchema>): SeenFields {
  const known = tronContracts.get(type)
  if (known === undefined) throw unsupportedTransactionType({ what: `contract type ${type}` })
  const typeUrl = `type.googleapis.com/protocol.${known.name}`
  if (parameter === undefined || parameter.type_url !== typeUrl) {
    throw invalidTransaction({ what: `contract type ${type} does not come with a parameter of ${typeUrl}` })
  }
  return { ...known.see(parameter.value), type: known.name, permission_id: Permission_id }
}

/** `Transaction { raw_data = 1, signature = 2 }`, the signature being r ‖ s ‖ recovery id, 65 bytes. */
function signedTransaction(
  rawData: Uint8Array,
  [signature, ...others]: readonly ResourceSignature[],
): string {
  assert(signature !== undefined && others.length === 0, 'a Tron transaction has one signature')
  const { r, s, v } = signature
  const bytes = present(fromHex(r + s + v), 'a signature is hexadecimal')
  return toHex(concat(writeBytesField(1, rawData), writeBytesField(2, bytes)))
}
