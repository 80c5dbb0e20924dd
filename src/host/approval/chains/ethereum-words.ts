import { fromHex, toHex } from '../../../trusted/base/bytes.ts'
import { finished } from '../../../trusted/base/work.ts'
import type { RlpItem } from '../../../trusted/chains/ethereum/rlp.ts'
import { readUnsignedTransaction } from '../../../trusted/chains/ethereum/unsigned-transaction.ts'
import { ethereum } from '../../../trusted/chains/ethereum/ethereum.ts'
import type { SeenFields } from '../../../trusted/chains/transaction.ts'
import { unprefixed } from '../../../trusted/chains/unprefixed.ts'
import { amountText, coinText, feeDangers } from '../amounts.ts'
import { type Fact, fact, type Reading, reading } from '../fact.ts'
import { numberIn, objectIn, textIn } from '../seen-facts.ts'
import type { ChainWords } from './chain-words.ts'
import { evmAddressText } from './evm-address.ts'
import { readEvmCall } from './evm-call.ts'
import { everyNetwork, networkOf } from './evm-networks.ts'
import { nobody } from './evm-reader.ts'
import { EVM_TOKENS } from './evm-tokens.ts'

export const ethereumWords: ChainWords = {
  chain: ethereum,
  read: (hex, signWith) => {
    const { seen } = finished(ethereum.transaction.read(hex, nobody(signWith)))
    const bytes = fromHex(unprefixed(hex)) ?? new Uint8Array()
    return { seen, unseen: carriedLists(bytes) }
  },
  unseenInBytes: (bytes) => (bytes[0] === AUTHORIZATION ? [] : carriedLists(bytes)),
  say: (seen, signWith, unseen) => {
    const authorization = seen['eip_7702_authorization']
    return authorization === undefined
      ? transactionWords(objectIn(seen, 'tx'), signWith, blobsIn(unseen))
      : authorizationWords(objectIn(seen, 'eip_7702_authorization'))
  },
}

function transactionWords(tx: SeenFields, signWith: string, blobs: number): Reading {
  const chainId = numberIn(tx, 'chain_id')
  const network = chainId === undefined ? everyNetwork : networkOf(chainId)
  const [to, value, data] = [textIn(tx, 'to'), numberIn(tx, 'value') ?? 0n, dataOf(tx)]
  const feeMax = feeOf(tx, blobs)
  const fee = coinText(feeMax, network.coin)
  const done = actionOf(tx, to, value, data, network)
  const isHandedOver = textIn(tx, 'type') === 'TYPE_4'
  const head: readonly Fact[] = [
    fact('Chain', network.name, chainId === undefined ? { tone: 'danger' } : {}),
    fact('Amount', amountText(value, network.coin)),
    ...(to === '' ? [] : [fact('Destination', to, { nameable: to })]),
    fact('Fees at most', fee),
    fact('Signed with', signWith, { nameable: signWith }),
  ]
  return {
    sentence: `On ${network.name}: ${done.sentence} Fees are at most ${fee}.`,
    facts: [...head, ...done.facts],
    dangers: [
      ...(chainId === undefined ? ['It names no chain: the signature is good on EVERY chain.'] : []),
      ...(isHandedOver
        ? ['It carries authorizations that hand accounts over to the code of contracts.']
        : []),
      ...feeDangers(feeMax, network.coin),
      ...done.dangers,
    ],
    unknowable: done.unknowable,
    // A pure transfer of the coin. The sentence leaves out the nonce and the components of the fees.
    isTold: to !== '' && data.length === 0,
  }
}

/** Blobs are paid beside the gas, at a price of their own (EIP-4844). */
function feeOf(tx: SeenFields, blobs: number): bigint {
  const number = (name: string): bigint => numberIn(tx, name) ?? 0n
  const blobGas = GAS_PER_BLOB * BigInt(blobs)
  return number('gas') * number('gas_price') + blobGas * number('max_fee_per_blob_gas')
}

const GAS_PER_BLOB = 131_072n

function actionOf(
  tx: SeenFields,
  to: string,
  value: bigint,
  data: Uint8Array,
  network: ReturnType<typeof networkOf>,
): Reading {
  const amount = amountText(value, network.coin)
  if (to === '')
    return reading(`Create a contract from ${data.length} bytes of code, with ${amount}.`, {
      unknowable: ['The effect of the code of the new contract cannot be read.'],
    })
  if (data.length === 0) return reading(`Send ${amount} to ${to}.`)
  return readEvmCall({
    network: String(numberIn(tx, 'chain_id') ?? ''),
    tokens: EVM_TOKENS,
    contract: to,
    value,
    coin: network.coin,
    data,
    addressText: evmAddressText,
  })
}

function dataOf(tx: SeenFields): Uint8Array {
  return fromHex(unprefixed(textIn(tx, 'data'))) ?? new Uint8Array()
}

function authorizationWords(authorization: SeenFields): Reading {
  const [address, chainId] = [textIn(authorization, 'address'), numberIn(authorization, 'chain_id')]
  const where = chainId === 0n || chainId === undefined ? 'EVERY chain' : networkOf(chainId).name
  return reading(`Hand the account over to the code of ${address}, on ${where}.`, {
    facts: [fact('Code', address, { nameable: address }), fact('Chain', where)],
    dangers: [`From then on the code of ${address} may do anything with the account (EIP-7702).`],
  })
}

/** Access list, hashes of blobs, and authorizations: they are signed too, and not shown to policies. */
function carriedLists(bytes: Uint8Array): readonly Fact[] {
  const { type, fields } = readUnsignedTransaction(bytes)
  const from = { LEGACY: fields.length, TYPE_1: 7, TYPE_2: 8, TYPE_3: 8, TYPE_4: 8 }[type]
  const names = { TYPE_3: ['access_list', 'max_fee_per_blob_gas', 'blob_versioned_hashes'] }
  const named = type === 'TYPE_3' ? names.TYPE_3 : ['access_list', 'authorization_list']
  return fields.slice(from).flatMap((item, index) => itemFacts(item, `eth.tx.${named[index] ?? index}`))
}

/** The number of hashes of blobs among these lists. */
function blobsIn(carried: readonly Fact[]): number {
  return carried.filter(({ label }) => label.startsWith(`${BLOB_HASHES}[`)).length
}

const BLOB_HASHES = 'eth.tx.blob_versioned_hashes'

function itemFacts(item: RlpItem, path: string): readonly Fact[] {
  if (item instanceof Uint8Array) {
    const text = `0x${toHex(item)}`
    return [fact(path, text, { nameable: text })]
  }
  return item.length === 0
    ? [fact(path, '(empty list)')]
    : item.flatMap((inner, index) => itemFacts(inner, `${path}[${index}]`))
}

const AUTHORIZATION = 0x05
