import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  AddressLookupTableAccount,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { encodeTransaction } from '../../src/trusted/chains/solana/testing/encode.ts'
import { signsTransaction } from './asks.ts'
import { allow, type Ask, decided, deny, SIGN, written } from './decision.ts'
import { type Organization, upload } from './organization.ts'
import { shown } from './row.ts'

/** Rows 44 to 50: transactions of Solana. */
export const rowsOfSolana = [
  decided(44, 'one transfer and no second is allowed', (o) => ({
    policies: [oneTransfer],
    requests: [
      { ask: signs(o, [transfer(o)]), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, [transfer(o), transfer(o)]), comesTo: ['denied', 'DENY_IMPLICIT'] },
      { ask: signs(o, [transfer(o, OTHER)]), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(45, 'no transfer at all leaves the first of them without a value, and is refused', (o) => ({
    policies: [oneTransfer],
    requests: [{ ask: signs(o, [memo]), comesTo: ['denied', 'ERROR'] }],
  })),
  // Published, the DENY is skipped. The sender chooses the transfers: docs/decisions/policy-language.md.
  decided(45, 'a DENY about the first of no transfers denies', (o) => ({
    policies: [allow(SIGN), deny(`solana.tx.transfers[0].to == '${SOMEONE.toBase58()}'`)],
    requests: [{ ask: signs(o, [memo]), comesTo: ['denied', 'ALLOW', 'DENY_EXPLICIT'] }],
  })),
  decided(46, 'programs are held to a list', (o) => ({
    policies: [
      allow(
        `solana.tx.program_keys.all(p, p in ['${SystemProgram.programId.toBase58()}','${TOKEN.toBase58()}'])`,
      ),
    ],
    requests: [
      { ask: signs(o, [transfer(o), sendsToken(o, 1n)]), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, [transfer(o), memo]), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(47, 'lookup tables are denied', (o) => ({
    policies: [deny('solana.tx.address_table_lookups.count() > 0'), allow(SIGN)],
    requests: [
      { ask: signs(o, [transfer(o)], table), comesTo: ['denied', 'DENY_EXPLICIT', 'ALLOW'] },
      { ask: signs(o, [transfer(o)]), comesTo: ['completed', 'DENY_IMPLICIT', 'ALLOW'] },
    ],
  })),
  shown(48, 'a program out of a lookup table is refused before policies are asked', async (o) => {
    await written(o, [allow('true')])
    for (const by of [o.A, o.R]) {
      o.service.world.advance(1)
      const { type, parameters } = callsLookedUpProgram(o)
      const { status, json } = await o.service.submit(by, type, parameters)
      assert.deepEqual([status, json.code], [400, 3])
      assert.match(json.message, /calls a program from an address lookup table$/)
    }
  }),
  decided(49, 'what has to hold of all token transfers holds where there are none', (o) => ({
    policies: [
      allow(`solana.tx.spl_transfers.all(t, t.token_mint == '${MINT.toBase58()}' && t.amount < 10)`),
    ],
    requests: [
      { ask: signs(o, [transfer(o)]), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, [sendsToken(o, 9n)]), comesTo: ['completed', 'ALLOW'] },
      { ask: signs(o, [sendsToken(o, 9n), sendsToken(o, 10n)]), comesTo: ['denied', 'DENY_IMPLICIT'] },
    ],
  })),
  decided(50, 'an instruction has the name that the interface gives it', async (o) => {
    await upload(o, o.R, { chain: 'SOLANA', address: PROGRAM.toBase58(), interface: swaps })
    return {
      policies: [
        allow("solana.tx.instructions.any(i, i.parsed_instruction_data.instruction_name == 'route')"),
      ],
      requests: [
        { ask: signs(o, [calling('route')]), comesTo: ['completed', 'ALLOW'] },
        { ask: signs(o, [calling('close')]), comesTo: ['denied', 'DENY_IMPLICIT'] },
      ],
    }
  }),
]

const SOMEONE = new PublicKey('GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW')
const OTHER = new PublicKey(new Uint8Array(32).fill(3))
const MINT = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const PROGRAM = new PublicKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k'

const oneTransfer = allow(
  `solana.tx.transfers.count() == 1 && solana.tx.transfers[0].to == '${SOMEONE.toBase58()}'`,
)

const swaps = {
  instructions: ['route', 'close'].map((name) => ({
    name,
    accounts: [],
    args: [{ name: 'amount', type: 'u64' }],
  })),
  types: [],
}

const memo = new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('hello') })

const table = new AddressLookupTableAccount({
  key: new PublicKey(new Uint8Array(32).fill(4)),
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [SOMEONE],
  },
})

function signs(
  { S1 }: Organization,
  instructions: TransactionInstruction[],
  ...tables: AddressLookupTableAccount[]
): Ask {
  const message = new TransactionMessage({
    payerKey: new PublicKey(S1),
    recentBlockhash: BLOCKHASH,
    instructions,
  }).compileToV0Message(tables)
  return signsTransaction(S1, 'SOLANA', new VersionedTransaction(message).serialize())
}

function transfer({ S1 }: Organization, toPubkey = SOMEONE): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: new PublicKey(S1), toPubkey, lamports: 1000 })
}

/** TransferChecked of the token program: the source, the mint, the destination and the owner. */
function sendsToken({ S1 }: Organization, amount: bigint): TransactionInstruction {
  const data = Buffer.alloc(10)
  data.writeUInt8(12)
  data.writeBigUInt64LE(amount, 1)
  data.writeUInt8(6, 9)
  const keys = [
    { pubkey: OTHER, isSigner: false, isWritable: true },
    { pubkey: MINT, isSigner: false, isWritable: false },
    { pubkey: SOMEONE, isSigner: false, isWritable: true },
    { pubkey: new PublicKey(S1), isSigner: true, isWritable: false },
  ]
  return new TransactionInstruction({ programId: TOKEN, keys, data })
}

/** As Anchor writes it: a discriminator of 8 bytes, then the arguments in Borsh. */
function calling(name: string): TransactionInstruction {
  const discriminator = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)
  const data = Buffer.concat([discriminator, Buffer.from('0500000000000000', 'hex')])
  return new TransactionInstruction({ programId: PROGRAM, keys: [], data })
}

/** No library writes such a message. */
function callsLookedUpProgram({ S1 }: Organization): Ask {
  const message = {
    version: 0,
    requiredSignatures: 1,
    readonlySigned: 0,
    readonlyUnsigned: 0,
    accountKeys: [new PublicKey(S1).toBytes()],
    recentBlockhash: new PublicKey(BLOCKHASH).toBytes(),
    instructions: [{ programIndex: 1, accountIndexes: new Uint8Array(), data: new Uint8Array() }],
    lookups: [
      {
        tableKey: table.key.toBytes(),
        writableIndexes: new Uint8Array(),
        readonlyIndexes: Uint8Array.of(0),
      },
    ],
  } as const
  return signsTransaction(S1, 'SOLANA', encodeTransaction(message, [new Uint8Array(64)]))
}
