import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { PublicKey, SystemProgram } from '@solana/web3.js'
import { toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import type { ContractInterface, SeenFields } from '../transaction.ts'
import type { Message } from './message.ts'
import { readSolanaMessage } from './raw-message.ts'
import { encodeMessage } from './testing/encode.ts'
import { aMessage, address, calling, data, key, SYSTEM, TOKEN, TOKEN_2022 } from './testing/messages.ts'

const LOOKUP = 'ADDRESS_TABLE_LOOKUP'

test('a transfer of the System program is seen, with accounts that are only referred to behind it', () => {
  const transfer = calling(SYSTEM, { others: [key(2), key(3)], data: data(['u32', 2], ['u64', 5n]) })

  const { transfers, spl_transfers: splTransfers, program_keys: programs } = seen(transfer)

  assert.deepEqual(transfers, [{ from: address(1), to: address(2), amount: 5n }])
  assert.deepEqual(splTransfers, [])
  assert.deepEqual(programs, [base58.encode(SYSTEM)])
})

test('a transfer with a seed goes from the derived account', () => {
  const { data: theirs } = SystemProgram.transfer({
    fromPubkey: new PublicKey(key(2)),
    basePubkey: new PublicKey(key(1)),
    toPubkey: new PublicKey(key(3)),
    lamports: 2n ** 64n - 1n,
    seed: 'sëed',
    programId: new PublicKey(key(4)),
  })
  const message = aMessage({
    accountKeys: [key(1), key(2), key(3), SYSTEM],
    instructions: [{ programIndex: 3, accountIndexes: Uint8Array.of(1, 0, 2), data: theirs }],
  })

  assert.deepEqual(seen(message)['transfers'], [{ from: address(2), to: address(3), amount: 2n ** 64n - 1n }])
  for (const length of [theirs.length - 1, theirs.length + 1, 19]) {
    malformed(withData(message, resized(theirs, length)), 'TransferWithSeed')
  }
  malformed(withAccounts(message, [1, 0]), 'TransferWithSeed')
})

for (const [name, program] of [
  ['Token', TOKEN],
  ['Token-2022', TOKEN_2022],
] as const) {
  test(`the three transfers of ${name} are seen, and the plain one has no mint`, () => {
    const others = [key(4), key(5), key(6), key(7)]
    const see = (fields: Uint8Array) => seen(calling(program, { others, data: fields }))['spl_transfers']
    const checked = {
      from: address(1),
      to: address(5),
      owner: address(6),
      signers: [],
      token_mint: address(4),
    }

    assert.deepEqual(see(data(['u8', 3], ['u64', 8n])), [
      { from: address(1), to: address(4), owner: address(5), signers: [], token_mint: '', amount: 8n },
    ])
    assert.deepEqual(see(data(['u8', 12], ['u64', 9n], ['u8', 6])), [{ ...checked, amount: 9n }])
    assert.deepEqual(see(data(['u8', 26], ['u8', 1], ['u64', 10n], ['u8', 6], ['u64', 1n])), [
      { ...checked, amount: 10n },
    ])
    assert.deepEqual(see(data(['u8', 26], ['u8', 0])), [])
    assert.deepEqual(see(data(['u8', 9])), [])
  })
}

test('those who sign for a multisig owner are seen, what else is handed over is not', () => {
  const message = aMessage({
    requiredSignatures: 3,
    accountKeys: [key(1), key(2), key(3), key(4), key(5), key(6), key(7), TOKEN],
    instructions: [
      {
        programIndex: 7,
        accountIndexes: Uint8Array.of(3, 4, 5, 6, 1, 2),
        data: data(['u8', 3], ['u64', 8n]),
      },
    ],
  })

  assert.deepEqual(seen(message)['spl_transfers'], [
    {
      from: address(4),
      to: address(5),
      owner: address(6),
      signers: [address(2), address(3)],
      token_mint: '',
      amount: 8n,
    },
  ])
})

test('transfers in a batch are seen, each with its own accounts', () => {
  const plain = data(['u8', 3], ['u64', 8n])
  const checked = data(['u8', 12], ['u64', 9n], ['u8', 6])
  const sync = data(['u8', 17])
  const batch = Buffer.concat(
    [[255, 3, 9], plain, [1, 1], sync, [4, 10], checked].map((part) => Buffer.from(part)),
  )
  const others = [2, 3, 4, 5, 6, 7, 8].map(key)
  const message = calling(TOKEN, { others, data: batch })

  assert.deepEqual(seen(message)['spl_transfers'], [
    { from: address(1), to: address(2), owner: address(3), signers: [], token_mint: '', amount: 8n },
    { from: address(5), to: address(7), owner: address(8), signers: [], token_mint: address(6), amount: 9n },
  ])
  // What a token program runs is what policies see: a batch hides none of its instructions, nor their number.
  const instructions = seen(message)['instructions'] as readonly SeenFields[]
  assert.deepEqual(
    instructions.map((each) => [
      each['program_key'],
      each['instruction_data_hex'],
      (each['accounts'] as readonly SeenFields[]).map((account) => account['account_key']),
    ]),
    [
      [base58.encode(TOKEN), toHex(plain), [1, 2, 3].map(address)],
      [base58.encode(TOKEN), toHex(sync), [address(4)]],
      [base58.encode(TOKEN), toHex(checked), [5, 6, 7, 8].map(address)],
    ],
  )
  malformed(calling(TOKEN, { others: others.slice(1), data: batch }), 'Batch')
  malformed(calling(TOKEN, { others: [...others, key(10)], data: batch }), 'Batch')
  for (let length = 1; length < batch.length; length++)
    malformed(withData(message, resized(batch, length)), '')
  malformed(calling(TOKEN, { data: Uint8Array.of(255, 0, 3, 255, 0, 0) }), 'Batch')
})

test('an instruction that is too short, too long or lacks accounts cannot hide a transfer', () => {
  const cases: readonly (readonly [Uint8Array, Uint8Array, number])[] = [
    [SYSTEM, data(['u32', 2], ['u64', 5n]), 2],
    [TOKEN, data(['u8', 3], ['u64', 5n]), 3],
    [TOKEN_2022, data(['u8', 12], ['u64', 5n], ['u8', 6]), 4],
    [TOKEN_2022, data(['u8', 26], ['u8', 1], ['u64', 5n], ['u8', 6], ['u64', 1n]), 4],
  ]
  for (const [program, whole, accounts] of cases) {
    const others = Array.from({ length: accounts - 1 }, (_, at) => key(20 + at))
    const message = calling(program, { others, data: whole })
    seen(message)
    malformed(
      withAccounts(
        message,
        Array.from({ length: accounts - 1 }, (_, at) => at),
      ),
      '',
    )
    for (let length = 0; length < whole.length; length++)
      malformed(withData(message, whole.subarray(0, length)), '')
    malformed(withData(message, resized(whole, whole.length + 1)), '')
  }
})

test('accounts from lookup tables have no address, keep their place and are referred to', () => {
  const lookups = [
    { tableKey: key(31), writableIndexes: Uint8Array.of(7), readonlyIndexes: Uint8Array.of(3) },
    { tableKey: key(32), writableIndexes: Uint8Array.of(9), readonlyIndexes: new Uint8Array() },
  ]
  const message = aMessage({
    version: 0,
    accountKeys: [key(1), key(2), TOKEN],
    instructions: [
      // From what the second table loads, to what the first one does, owned by what is read-only.
      { programIndex: 2, accountIndexes: Uint8Array.of(4, 3, 5, 1), data: data(['u8', 3], ['u64', 8n]) },
    ],
    lookups,
  })
  const references = [
    { address_table_key: address(31), index: 7n, writable: true },
    { address_table_key: address(32), index: 9n, writable: true },
    { address_table_key: address(31), index: 3n, writable: false },
  ]

  const tx = seen(message)
  const [instruction] = fieldsIn(tx['instructions'])

  assert.deepEqual(tx['account_keys'], [address(1), address(2), base58.encode(TOKEN)])
  assert.deepEqual(tx['spl_transfers'], [
    { from: LOOKUP, to: LOOKUP, owner: LOOKUP, signers: [], token_mint: '', amount: 8n },
  ])
  assert.deepEqual(tx['address_table_lookups'], [
    { address_table_key: address(31), writable_indexes: [7n], readonly_indexes: [3n] },
    { address_table_key: address(32), writable_indexes: [9n], readonly_indexes: [] },
  ])
  assert.deepEqual(tx['address_table_lookup_references'], references)
  assert.deepEqual(instruction?.['accounts'], [
    { account_key: LOOKUP, signer: false, writable: true },
    { account_key: LOOKUP, signer: false, writable: true },
    { account_key: LOOKUP, signer: false, writable: false },
    { account_key: address(2), signer: false, writable: true },
  ])
  assert.deepEqual(instruction?.['address_table_lookups'], [
    { ...references[1], writable_indexes: [9n], readonly_indexes: [] },
    { ...references[0], writable_indexes: [7n], readonly_indexes: [] },
    { ...references[2], writable_indexes: [], readonly_indexes: [3n] },
  ])
})

test('programs are named once each, in the order of the keys', () => {
  const call = (programIndex: number) => ({
    programIndex,
    accountIndexes: new Uint8Array(),
    data: new Uint8Array(),
  })
  const message = aMessage({
    accountKeys: [key(1), key(2), key(3), key(4)],
    instructions: [call(3), call(1), call(3)],
  })

  assert.deepEqual(seen(message)['program_keys'], [address(2), address(4)])
})

test('instructions of a program whose interface is known are read by it, others are not', () => {
  const pay = {
    name: 'pay',
    accounts: [{ name: 'payer' }, { name: 'shop' }],
    args: [{ name: 'price', type: 'u64' }],
  }
  const contract = (program: number): ContractInterface => ({
    kind: 'solana',
    address: address(program),
    text: JSON.stringify({ instructions: [{ ...pay, discriminator: [program, 1] }], types: [] }),
  })
  const message = calling(key(9), { others: [key(2)], data: data(['u8', 9], ['u8', 1], ['u64', 7n]) })
  const parsed = (interfaces: readonly ContractInterface[]) =>
    fieldsIn(seen(message, interfaces)['instructions'])[0]?.['parsed_instruction_data']

  assert.deepEqual(parsed([contract(8), contract(9)]), {
    instruction_name: 'pay',
    discriminator: '0901',
    named_accounts: { payer: address(1), shop: address(2) },
    named_account: { payer: address(1), shop: address(2) },
    program_call_args: { price: 7n },
  })
  assert.equal(parsed([contract(8)]), undefined)
  assert.equal(parsed([{ ...contract(9), kind: 'ethereum' }]), undefined)
  assert.equal(parsed([]), undefined)
})

function seen(message: Message, interfaces: readonly ContractInterface[] = []): SeenFields {
  const read = readSolanaMessage(encodeMessage(message), interfaces)
  return fieldsIn([fieldsIn([read?.['solana']])[0]?.['tx']])[0] ?? {}
}

/** A list of what the test knows to be structs. */
function fieldsIn(list: unknown): readonly SeenFields[] {
  assert.ok(Array.isArray(list))
  return list
}

function malformed(message: Message, name: string): void {
  assert.throws(
    () => seen(message),
    (error) => {
      assert.ok(error instanceof Failure, String(error))
      assert.equal(error.kind, 'invalidTransaction')
      assert.match(error.message, new RegExp(`an instruction .*${name}.* is malformed`))
      return true
    },
  )
}

function withData(message: Message, bytes: Uint8Array): Message {
  return { ...message, instructions: message.instructions.map((each) => ({ ...each, data: bytes })) }
}

function withAccounts(message: Message, indexes: readonly number[]): Message {
  const accountIndexes = Uint8Array.from(indexes)
  return { ...message, instructions: message.instructions.map((each) => ({ ...each, accountIndexes })) }
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(1)]).subarray(0, length)
}
