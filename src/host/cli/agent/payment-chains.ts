import { fromHex } from '../../../trusted/base/bytes.ts'
import { checksummed } from '../../../trusted/crypto/eip55.ts'
import { isBitcoinAddress } from '../../../trusted/chains/bitcoin-address.ts'
import { solanaKeyOf } from '../../../trusted/chains/solana-address.ts'
import { isTronAddress } from '../../../trusted/chains/tron-address.ts'
import { printable } from '../policies/printable.ts'
import { UsageError } from '../usage.ts'
import { amountText, type Units } from './amount.ts'
import { oneOfTexts } from './expression-text.ts'

/** The bounds of every payment of an agent, with or without approval. */
export type PaymentRules = {
  /** The permitted recipients; any recipient if the list is empty. */
  readonly to: readonly string[]
  /** Whether it may call the contracts that it pays. */
  readonly calls: boolean
  /** The maximum of one payment, in the smallest unit. */
  readonly most?: bigint
}

/** A chain for payments by agents, with its transactions as policies see them. */
export type PaymentChain = {
  readonly name: string
  readonly title: string
  /** Amounts are shown in the first unit. */
  readonly units: Units
  readonly transactionType: string
  readonly account: {
    readonly curve: string
    readonly pathFormat: 'PATH_FORMAT_BIP32'
    readonly path: string
    readonly addressFormat: string
  }
  /** The address in the one spelling that policies compare; undefined for a text that is not an address. */
  readonly address: (text: string) => string | undefined
  /** Conditions that all hold for a payment. @param own  the address of the agent's account */
  readonly payment: (rules: PaymentRules, own: string) => readonly string[]
  /** The sentence for the same condition. */
  readonly paymentText: (rules: PaymentRules) => string
  /** The amount of a payment: an expression that has no value unless there is exactly one transfer. */
  readonly amount: (own: string) => string
  /** The counted part of fees under a daily limit. */
  readonly fees?: {
    readonly amount: string
    /** For a limit in 24 hours. */
    readonly most: (daily: bigint) => bigint
    readonly text: (most: bigint) => string
  }
  /** The parts that policies do not see. */
  readonly unseen: readonly string[]
}

const GWEI = 10n ** 9n
// A plain payment takes 21,000; a payment to a contract's account takes some more.
const GAS_OF_A_PAYMENT = 100_000n
const GAS_OF_A_CALL = 2_000_000n

/** A chain with the transactions of Ethereum. */
function evm(of: {
  readonly name: string
  readonly title: string
  readonly chainId: bigint
  readonly unit: string
  readonly gweiPerGas: bigint
}): PaymentChain {
  const { name, title, chainId, unit, gweiPerGas } = of
  const units = { [unit]: 18, gwei: 9, wei: 0 }
  const gasOf = (calls: boolean) => (calls ? GAS_OF_A_CALL : GAS_OF_A_PAYMENT)
  return {
    name,
    title: `${title} (chain ${chainId})`,
    units,
    transactionType: 'TRANSACTION_TYPE_ETHEREUM',
    account: {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
    address: ethereumAddressIn,
    payment: ({ to, calls, most }) => [
      `eth.tx.chain_id == ${chainId}`,
      // Blobs (type 3) have a fee of their own, and type 4 carries authorizations.
      "eth.tx.type in ['LEGACY', 'TYPE_1', 'TYPE_2']",
      to.length === 0 ? "eth.tx.to != ''" : `eth.tx.to in ${oneOfTexts(to)}`,
      ...(calls ? [] : ["eth.tx.data == '0x'"]),
      `eth.tx.gas <= ${gasOf(calls)}`,
      `eth.tx.gas_price <= ${gweiPerGas * GWEI}`,
      ...(most === undefined ? [] : [`eth.tx.value <= ${most}`]),
    ],
    paymentText: ({ calls }) =>
      `${calls ? 'no contract creation' : 'no contract calls (and so no tokens), no contract creation'}, no blobs, ` +
      `no delegation to a contract (EIP-7702), at most ${gasOf(calls)} units of gas and ${gweiPerGas} gwei for each`,
    amount: () => 'eth.tx.value',
    fees: {
      amount: 'eth.tx.gas',
      most: (daily) => atLeast(daily / (gweiPerGas * GWEI), 10n * 21_000n),
      text: (most) =>
        `${most} units of gas in 24 hours, which at ${gweiPerGas} gwei are ${amountText(most * gweiPerGas * GWEI, units)}`,
    },
    unseen: [
      'Fees are paid beside the amounts. Their bounds are those above; a rollup adds a fee for data that stands in no transaction.',
      'A transaction counts when it is signed, whether it is sent or not.',
    ],
  }
}

const solana: PaymentChain = {
  name: 'solana',
  title: 'Solana',
  units: { sol: 9, lamports: 0 },
  transactionType: 'TRANSACTION_TYPE_SOLANA',
  account: {
    curve: 'CURVE_ED25519',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/501'/0'/0'",
    addressFormat: 'ADDRESS_FORMAT_SOLANA',
  },
  address: (text) => (solanaKeyOf(text) === undefined ? undefined : text),
  payment: ({ to, most }) => [
    // One instruction, which is a transfer: no other program runs, and none sets a priority fee.
    'solana.tx.instructions.count() == 1',
    'solana.tx.transfers.count() == 1',
    'solana.tx.address_table_lookups.count() == 0',
    ...(to.length === 0 ? [] : [`solana.tx.transfers.all(t, t.to in ${oneOfTexts(to)})`]),
    ...(most === undefined ? [] : [`solana.tx.transfers.all(t, t.amount <= ${most})`]),
  ],
  paymentText: () => 'one transfer and no other instruction: no tokens, no programs, no priority fee',
  amount: () => 'solana.tx.transfers[0].amount',
  unseen: [
    'A transaction of Solana does not name its network: what is signed for a test network is good on the main one.',
    'The fee for signatures (5,000 lamports each) is in no limit.',
    'A transaction counts when it is signed, whether it is sent or not.',
  ],
}

const tron: PaymentChain = {
  name: 'tron',
  title: 'Tron',
  units: { trx: 6, sun: 0 },
  transactionType: 'TRANSACTION_TYPE_TRON',
  account: {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/195'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_TRON',
  },
  address: (text) => (isTronAddress(text) ? text : undefined),
  payment: ({ to, most }) => [
    "tron.tx.contract.all(c, c.type == 'TransferContract')",
    "tron.tx.data == ''",
    ...(to.length === 0 ? [] : [`tron.tx.contract.all(c, c.to_address in ${oneOfTexts(to)})`]),
    ...(most === undefined ? [] : [`tron.tx.contract.all(c, c.amount <= ${most})`]),
  ],
  paymentText: () => 'a transfer of TRX without a memo: no tokens, no contracts, no staking, no permissions',
  amount: () => 'tron.tx.contract[0].amount',
  unseen: [
    'A transaction of Tron does not name its network: what is signed for a test network may be good on the main one.',
    'What a transfer costs in bandwidth, and the TRX that opens a new account, are in no limit.',
    'A transaction counts when it is signed, whether it is sent or not.',
  ],
}

const BTC = { btc: 8, sat: 0 }
const SAT_OF_A_FEE = 100_000n

const bitcoin: PaymentChain = {
  name: 'bitcoin',
  title: 'Bitcoin',
  units: BTC,
  transactionType: 'TRANSACTION_TYPE_BITCOIN',
  account: {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/84'/0'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH',
  },
  address: bitcoinAddressIn,
  payment: ({ to, most }, own) => [
    // With false amounts of several inputs, two requests pay any fee together (docs/decisions/bitcoin-transactions.md).
    'bitcoin.tx.inputs.count() == 1',
    `${paid(own)}.count() == 1`,
    `bitcoin.tx.fee <= ${SAT_OF_A_FEE}`,
    ...(to.length === 0 ? [] : [`${paid(own)}.all(o, o.address in ${oneOfTexts(to)})`]),
    ...(most === undefined ? [] : [`${paid(own)}.all(o, o.value <= ${most})`]),
  ],
  paymentText: () =>
    `one coin at a time, one output beside the change to its own address, every output with an address, a fee of at most ${SAT_OF_A_FEE} sat`,
  amount: (own) => `${paid(own)}[0].value`,
  fees: {
    amount: 'bitcoin.tx.fee',
    most: (daily) => atLeast(daily, 10n * SAT_OF_A_FEE),
    text: (most) => `${amountText(most, BTC)} of fees in 24 hours`,
  },
  unseen: [
    'It spends one coin at a time, so it cannot pay more than its largest coin holds.',
    'A transaction counts when it is signed, whether it is sent or not.',
  ],
}

const chains = [
  evm({ name: 'ethereum', title: 'Ethereum', chainId: 1n, unit: 'eth', gweiPerGas: 200n }),
  evm({ name: 'sepolia', title: 'Sepolia', chainId: 11_155_111n, unit: 'eth', gweiPerGas: 200n }),
  evm({ name: 'base', title: 'Base', chainId: 8453n, unit: 'eth', gweiPerGas: 50n }),
  evm({ name: 'base-sepolia', title: 'Base Sepolia', chainId: 84_532n, unit: 'eth', gweiPerGas: 50n }),
  evm({ name: 'optimism', title: 'Optimism', chainId: 10n, unit: 'eth', gweiPerGas: 50n }),
  evm({ name: 'arbitrum', title: 'Arbitrum One', chainId: 42_161n, unit: 'eth', gweiPerGas: 50n }),
  evm({ name: 'polygon', title: 'Polygon', chainId: 137n, unit: 'pol', gweiPerGas: 5_000n }),
  solana,
  bitcoin,
  tron,
]

/**
 * A chain by its name, or as `eip155:` and the number of a chain with the transactions of Ethereum.
 *
 * @throws UsageError
 */
export function paymentChain(name: string): PaymentChain {
  const known = chains.find((chain) => chain.name === name)
  if (known !== undefined) return known
  const number = /^eip155:([1-9]\d{0,17})$/.exec(name)?.[1]
  if (number === undefined)
    throw new UsageError(
      `--chain ${printable(name)} is not one of ${chains.map((chain) => chain.name).join(', ')}, eip155:NUMBER`,
    )
  const chainId = BigInt(number)
  return evm({ name, title: 'The chain', chainId, unit: 'eth', gweiPerGas: 200n })
}

/** The chain in an agent's conditions; undefined if they name none. */
export function chainIn(conditions: string): PaymentChain | undefined {
  const number = /eth\.tx\.chain_id == (\d+)/.exec(conditions)?.[1]
  const isAbout = (chain: PaymentChain) =>
    number === undefined
      ? conditions.includes(`'${chain.transactionType}'`)
      : chain.payment({ to: [], calls: false }, '').includes(`eth.tx.chain_id == ${number}`)
  return chains.find(isAbout) ?? (number === undefined ? undefined : paymentChain(`eip155:${number}`))
}

function ethereumAddressIn(text: string): string | undefined {
  const account = /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2)) : undefined
  if (account === undefined) return undefined
  const written = checksummed(account)
  // Mixed case is a checksum (EIP-55), and a wrong checksum is a mistake in the address.
  const hasChecksum = /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text)
  return hasChecksum && text !== written ? undefined : written
}

/** Addresses of SegWit may be in capitals, as in codes for cameras. */
function bitcoinAddressIn(text: string): string | undefined {
  const written = /^BC1[0-9A-Z]+$/.test(text) ? text.toLowerCase() : text
  return isBitcoinAddress(written) ? written : undefined
}

function paid(own: string): string {
  return `bitcoin.tx.outputs.filter(o, o.address != '${own}')`
}

function atLeast(value: bigint, least: bigint): bigint {
  return value > least ? value : least
}
