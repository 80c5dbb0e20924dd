import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { vectors } from '../../../../test/support/vectors.ts'
import { present } from '../../base/assert.ts'
import { concat, fromHex, toHex } from '../../base/bytes.ts'
import { Caseless } from '../../base/caseless.ts'
import { Failure } from '../../base/failure.ts'
import { finished } from '../../base/work.ts'
import { parseExpression } from '../../policy/expression.ts'
import { struct } from '../../policy/types.ts'
import { solanaMessageSteps } from '../solana/raw-message.ts'
import { fits, unnamed } from '../testing/fits.ts'
import type { SeenFields, SeenValue } from '../transaction.ts'
import { aptosNamespace } from './aptos-namespace.ts'
import { aptosMessageSteps } from './signing-message.ts'
import {
  account,
  bytes,
  entryFunction,
  list,
  messageWithData,
  optional,
  rawTransaction,
  script,
  signingMessage,
  special,
  structTag,
  text,
  u64,
  variant,
} from './testing/encode.ts'

const NONE = new Uint8Array()
const COIN = structTag('aptos_coin', 'AptosCoin')
const B = `0x${'bb'.repeat(32)}`
const C = `0x${'cc'.repeat(32)}`

function see(message: Uint8Array): SeenFields | undefined {
  const seen = finished(aptosMessageSteps(message))?.['aptos']
  // `aptos` has `tx` and nothing else.
  return (seen as { readonly tx: SeenFields } | undefined)?.tx
}

function seenOf(payload: Uint8Array): SeenFields {
  const seen = see(signingMessage(rawTransaction({ payload })))
  assert.ok(seen)
  return seen
}

/** As JSON has it: texts and decimal digits. */
function plain(seen: SeenValue | undefined): unknown {
  return JSON.parse(JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
}

function refuses(message: Uint8Array, what: string): void {
  assert.throws(
    () => see(message),
    (thrown) => thrown instanceof Failure && thrown.message.includes(what),
    what,
  )
}

test('what the published library writes is read, field by field', () => {
  type Vector = { readonly message: string; readonly seen: Record<string, unknown> }
  const written = vectors<readonly Vector[]>('aptos/transactions.json')
  const met = new Set<unknown>()
  for (const { message, seen: expected } of written) {
    const seen = plain(see(fromHex(message) ?? NONE)) as Record<string, unknown>
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(seen[name], value, name)
    met.add(
      `${String(expected['payload_type'])} ${expected['multisig_address'] === '' ? 'alone' : 'multisig'}`,
    )
  }
  assert.equal(written.length, 60)
  assert.deepEqual([...met].sort(), [
    'ENTRY_FUNCTION alone',
    'ENTRY_FUNCTION multisig',
    'SCRIPT alone',
    'VOTED multisig',
  ])
})

test('a transaction is shown whole, with what it pays', () => {
  const transaction = rawTransaction({
    payload: variant(2, entryFunction(['aptos_account', 'transfer'], [account(0xbb), u64(1000n)])),
  })
  const seen = see(messageWithData(transaction, [account(0xcc)], special(0)))
  assert.deepEqual(plain(seen), {
    sender: `0x${'aa'.repeat(32)}`,
    sequence_number: '7',
    max_gas_amount: '2000',
    gas_unit_price: '100',
    expiration_timestamp_secs: '1800000000',
    chain_id: '1',
    payload_type: 'ENTRY_FUNCTION',
    function: '0x1::aptos_account::transfer',
    type_arguments: [],
    arguments: [B, '0xe803000000000000'],
    code: '',
    multisig_address: '',
    transfers: [{ from: `0x${'aa'.repeat(32)}`, to: B, amount: '1000', asset: '0x1::aptos_coin::AptosCoin' }],
    secondary_signers: [C],
    fee_payer: '0x0',
  })
})

test('all that is seen has a name and a type in the language, and every name is seen', () => {
  const payload = variant(
    4,
    variant(0),
    variant(1, entryFunction(['coin', 'transfer'], [account(0xbb), u64(1n)], [COIN])),
    variant(0, optional(account(0xdd)), optional(u64(5n))),
  )
  const message = messageWithData(rawTransaction({ payload }), [account(0xcc)], account(0xee))
  const met = fits(struct(aptosNamespace), finished(aptosMessageSteps(message))?.['aptos'], 'seen')
  assert.deepEqual(unnamed(aptosNamespace, met), [])
})

test('a payment by a function of the framework shows whom, how much and what, from the account that acts', () => {
  const two = [list([account(0xbb), account(0xcc)]), list([u64(1n), u64(2n)])]
  const token = account(0x77)
  const shown = `0x${'77'.repeat(32)}`
  const from = `0x${'aa'.repeat(32)}`
  const cases = [
    ['coin', 'transfer', [account(0xbb), u64(1n)], [COIN], '0x1::aptos_coin::AptosCoin'],
    ['aptos_account', 'transfer_coins', [account(0xbb), u64(1n)], [COIN], '0x1::aptos_coin::AptosCoin'],
    // For calls by the framework alone, but nodes run it for a transaction too.
    ['aptos_account', 'fungible_transfer_only', [account(0xbb), u64(1n)], [], '0x1::aptos_coin::AptosCoin'],
    ['aptos_account', 'batch_transfer', two, [], '0x1::aptos_coin::AptosCoin'],
    ['aptos_account', 'batch_transfer_coins', two, [COIN], '0x1::aptos_coin::AptosCoin'],
    ['aptos_account', 'transfer_fungible_assets', [token, account(0xbb), u64(1n)], [], shown],
    ['aptos_account', 'batch_transfer_fungible_assets', [token, ...two], [], shown],
    ['primary_fungible_store', 'transfer', [token, account(0xbb), u64(1n)], [structTag('a', 'B')], shown],
    [
      'primary_fungible_store',
      'transfer_assert_minimum_deposit',
      [token, account(0xbb), u64(1n), u64(0n)],
      [structTag('a', 'B')],
      shown,
    ],
  ] as const
  for (const [module, name, args, types, asset] of cases) {
    const { transfers } = seenOf(variant(2, entryFunction([module, name], args, types)))
    const expected = [
      { from, to: B, amount: '1', asset },
      { from, to: C, amount: '2', asset },
    ]
    assert.deepEqual(plain(transfers), name.startsWith('batch') ? expected : expected.slice(0, 1), name)
  }
  const owned = variant(
    3,
    account(0xdd),
    optional(variant(0, entryFunction(['coin', 'transfer'], [account(0xbb), u64(1n)], [COIN]))),
  )
  assert.deepEqual(plain(seenOf(owned)['transfers']), [
    { from: `0x${'dd'.repeat(32)}`, to: B, amount: '1', asset: '0x1::aptos_coin::AptosCoin' },
  ])
})

test('APT has one name, also as a fungible asset, so that a rule about it meets each way to pay it', () => {
  const coins = entryFunction(['aptos_account', 'transfer'], [account(0xbb), u64(9n)])
  const assets = entryFunction(['primary_fungible_store', 'transfer'], [special(10), account(0xbb), u64(9n)])
  const rule = "aptos.tx.transfers.any(t, t.asset == '0x1::aptos_coin::AptosCoin' && t.amount > 5)"
  const atLeast = entryFunction(
    ['primary_fungible_store', 'transfer_assert_minimum_deposit'],
    [special(10), account(0xbb), u64(9n), u64(9n)],
  )
  for (const payload of [coins, assets, atLeast]) says(rule, seenOf(variant(2, payload)), true)
})

test('a function of another module with the name of one that pays shows no transfer', () => {
  const elsewhere = entryFunction(['coin', 'transfer'], [account(0xbb), u64(1n)], [COIN], account(9))
  assert.deepEqual(seenOf(variant(2, elsewhere))['transfers'], [])
  assert.deepEqual(seenOf(variant(2, entryFunction(['coin', 'transfers'], [])))['transfers'], [])
})

test('a transfer that could stay unseen is refused', () => {
  const pays = (
    args: readonly Uint8Array[],
    types: readonly Uint8Array[] = [COIN],
    name = 'transfer_coins',
  ) =>
    signingMessage(
      rawTransaction({ payload: variant(2, entryFunction(['aptos_account', name], args, types)) }),
    )
  const list1 = list([account(1)])
  for (const message of [
    pays([]),
    pays([account(0xbb)]),
    pays([account(0xbb), u64(1n), NONE]),
    pays([account(0xbb), u64(1n).subarray(1)]),
    pays([concat(account(0xbb), Uint8Array.of(0)), u64(1n)]),
    pays([account(0xbb), u64(1n)], []),
    pays([list1, list([])], [COIN], 'batch_transfer_coins'),
    pays([list1, u64(1n)], [COIN], 'batch_transfer_coins'),
    pays([account(0xbb), u64(1n)], [], 'transfer_fungible_assets'),
  ])
    refuses(message, 'the arguments are not those of 0x1::aptos_account::')
  for (const rest of [[], [NONE], [u64(1n), u64(1n)]]) {
    const called = entryFunction(
      ['primary_fungible_store', 'transfer_assert_minimum_deposit'],
      [special(10), account(0xbb), u64(1n), ...rest],
    )
    refuses(signingMessage(rawTransaction({ payload: variant(2, called) })), 'the arguments are not those of')
  }
})

test('of what a script or a vote on chain will do nothing can be asked, so that a rule that names it fails', () => {
  const scripted = seenOf(
    variant(0, script(Uint8Array.of(1, 2), [variant(1, u64(5n)), variant(4, bytes(Uint8Array.of(9)))])),
  )
  assert.equal(scripted['code'], '0x0102')
  assert.deepEqual(scripted['arguments'], ['0x0500000000000000', '0x09'])
  const voted = seenOf(variant(3, account(0xdd), optional()))
  says("aptos.tx.payload_type == 'SCRIPT' && aptos.tx.code == '0x0102'", scripted, true)
  says("aptos.tx.payload_type == 'VOTED'", voted, true)
  for (const condition of [
    "aptos.tx.function == '0x1::coin::transfer'",
    "aptos.tx.function != '0x1::coin::transfer'",
    'aptos.tx.transfers.count() == 0',
    'aptos.tx.transfers.all(t, t.amount < 10)',
  ]) {
    says(condition, scripted, 'failed')
    says(condition, voted, 'failed')
  }
  for (const condition of ['aptos.tx.arguments.count() == 0', "'u8' in aptos.tx.type_arguments"])
    says(condition, voted, 'failed')
})

test('the example of the decision page bounds a payment and its gas, and lets nothing else through', () => {
  const bounded = /^ {4}(aptos\.tx\..*\n)(?: {4}.*\n)*/m.exec(
    readFileSync(
      fileURLToPath(import.meta.resolve('../../../../docs/decisions/aptos-transactions.md')),
      'utf8',
    ),
  )?.[0]
  assert.ok(bounded)
  const calls = (amount: bigint, name: string, gas: { maxGasAmount?: bigint; gasUnitPrice?: bigint }) => {
    const payload = variant(2, entryFunction(['aptos_account', name], [account(0xbb), u64(amount)], [COIN]))
    return see(signingMessage(rawTransaction({ payload, ...gas })))
  }
  const pays = (amount: bigint, name = 'transfer', gas = {}) => present(calls(amount, name, gas), 'read')
  says(bounded, pays(100_000_000n), true)
  says(bounded, pays(100_000_001n), false)
  says(bounded, pays(1n, 'transfer_coins'), false)
  // What is paid for gas goes to validators, up to all that the account has.
  says(bounded, pays(1n, 'transfer', { gasUnitPrice: 10_000_000_000n }), false)
  says(bounded, pays(1n, 'transfer', { maxGasAmount: 2_000_000n }), false)
  says(bounded, seenOf(variant(2, entryFunction(['coin', 'burn'], []))), false)
  says(bounded, seenOf(variant(0, script(NONE, []))), 'failed')
})

test('policies decide about what a transaction pays, and whatever the case of an address', () => {
  const seen = seenOf(variant(2, entryFunction(['coin', 'transfer'], [account(0xbb), u64(1000n)], [COIN])))
  says(`aptos.tx.transfers.all(t, t.to == '0x${'BB'.repeat(32)}' && t.amount <= 1000)`, seen, true)
  says('aptos.tx.transfers.all(t, t.amount < 1000)', seen, false)
  says("aptos.tx.function in ['0x1::coin::transfer'] && aptos.tx.chain_id == 1", seen, true)
  says("aptos.tx.type_arguments[0] == '0x1::aptos_coin::AptosCoin'", seen, true)
  says("aptos.tx.arguments[1] == '0xe803000000000000'", seen, true)
  says('aptos.tx.replay_protection_nonce == 0', seen, 'missing')
})

test('what is of a kind that is not read here shows nothing, and is signed as raw bytes', () => {
  const run = variant(1, entryFunction(['coin', 'transfer'], [account(0xbb), u64(1n)], [COIN]))
  for (const payload of [
    variant(1),
    variant(5, NONE),
    variant(200, NONE),
    variant(3, account(1), optional(variant(1))),
    variant(4, variant(1), run),
    variant(4, variant(0), variant(3)),
  ])
    assert.equal(see(signingMessage(rawTransaction({ payload }))), undefined)
  const transaction = rawTransaction({ payload: variant(2, entryFunction(['a', 'b'], [])) })
  const other = messageWithData(transaction, [])
  other[32] = 2
  assert.equal(see(other), undefined)
  // Another domain, or none.
  for (const message of [transaction, concat(account(3), transaction), NONE, account(1)])
    assert.equal(see(message), undefined)
})

test('a transaction that nodes may take and that is not seen whole is refused', () => {
  const called = (types: readonly Uint8Array[]) =>
    signingMessage(rawTransaction({ payload: variant(2, entryFunction(['a', 'b'], [], types)) }))
  const nested = (depth: number): Uint8Array => (depth === 0 ? variant(1) : variant(6, nested(depth - 1)))
  assert.ok(see(called([nested(7)])))
  refuses(called([nested(8)]), 'deeper than 8 types')
  // A function, whose parameters follow: a reader that does not read them takes them for the arguments of the call.
  refuses(called([variant(11)]), 'a type of number 11')
  refuses(called([variant(18)]), 'a type of number 18')
  refuses(called(Array.from({ length: 33 }, () => variant(1))), 'more than 32 type arguments')
  const run = variant(1, entryFunction(['a', 'b'], []))
  const configured = (...rest: readonly Uint8Array[]) =>
    signingMessage(rawTransaction({ payload: variant(4, variant(0), ...rest) }))
  refuses(configured(run, variant(1)), 'a configuration of version 2')
  refuses(configured(variant(2), variant(0, optional(), optional())), 'nothing to run')
  const scripted = (...args: readonly Uint8Array[]) =>
    signingMessage(rawTransaction({ payload: variant(0, script(NONE, args)) }))
  refuses(scripted(variant(16)), 'a value of number 16')
  refuses(scripted(variant(5, Uint8Array.of(2))), 'neither true nor false')
})

test('a type has the number that nodes give it', () => {
  // The enum `TypeTag` of aptos-core, where functions (11) came before signed numbers.
  const named: readonly (readonly [number, string])[] = [
    [0, 'bool'],
    [1, 'u8'],
    [2, 'u64'],
    [3, 'u128'],
    [4, 'address'],
    [5, 'signer'],
    [8, 'u16'],
    [9, 'u32'],
    [10, 'u256'],
    [12, 'i8'],
    [13, 'i16'],
    [14, 'i32'],
    [15, 'i64'],
    [16, 'i128'],
    [17, 'i256'],
  ]
  const types = named.map(([number]) => variant(number))
  const seen = seenOf(variant(2, entryFunction(['a', 'b'], [], types)))
  assert.deepEqual(
    seen['type_arguments'],
    named.map(([, type]) => type),
  )
})

test('names that no module can have are refused, so that a function is told by its parts in one way only', () => {
  for (const name of ['', '_', 'a::b', 'a b', '1a', 'ä', 'a'.repeat(256)]) {
    for (const [module, called] of [
      [name, 'f'],
      ['m', name],
    ] as const) {
      const payload = variant(2, entryFunction([module, called], []))
      refuses(signingMessage(rawTransaction({ payload })), 'is not one in Move')
    }
  }
  const latin = concat(special(1), bytes(Uint8Array.of(0xe4)), text('f'), list([]), list([]))
  refuses(signingMessage(rawTransaction({ payload: variant(2, latin) })), 'is not UTF-8')
})

test('a number or length in another than its shortest form is refused', () => {
  const { length } = rawTransaction({ payload: NONE })
  const before = rawTransaction({ payload: NONE }).subarray(0, 40)
  const after = rawTransaction({ payload: NONE }).subarray(40, length)
  const message = (payload: Uint8Array) => signingMessage(concat(before, payload, after))
  const run = entryFunction(['a', 'b'], [])
  assert.ok(see(message(concat(Uint8Array.of(2), run))))
  refuses(message(concat(Uint8Array.of(0x82, 0), run)), 'not in its shortest form')
  refuses(message(concat(Uint8Array.of(0x82, 0x80, 0x80, 0x80, 0x80, 0), run)), 'more than 32 bits')
  refuses(message(concat(Uint8Array.of(0x82, 0x80, 0x80, 0x80, 0x10), run)), 'more than 32 bits')
})

test('a transaction of Aptos is no message of Solana, whatever is in it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
      for (const message of [signingMessage(content), messageWithData(content, [])])
        assert.equal(finished(solanaMessageSteps(message, [])), undefined)
    }),
  )
})

const address = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 15 }).map(special))
const uint64 = fc.bigInt(0n, 2n ** 64n - 1n)
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/)

const calls = fc
  .record({
    at: address,
    module: name,
    called: name,
    args: fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }),
  })
  .map(({ at, module, called, args }) => ({
    encoded: entryFunction([module, called], args, [], at),
    function: `${shown(at)}::${module}::${called}`,
    arguments: args.map((arg) => `0x${toHex(arg)}`),
  }))

test('whatever is written is read again to its last byte, and cut or lengthened it is refused', () => {
  fc.assert(
    fc.property(
      fc.record({
        call: calls,
        sender: address,
        sequenceNumber: uint64,
        maxGasAmount: uint64,
        gasUnitPrice: uint64,
        expiration: uint64,
        chainId: fc.nat({ max: 255 }),
        multisig: fc.option(address),
        secondary: fc.array(address, { maxLength: 3 }),
        feePayer: fc.option(address),
        cut: fc.nat(),
      }),
      ({ call, multisig, secondary, feePayer, cut, ...rest }) => {
        const payload =
          multisig === null
            ? variant(2, call.encoded)
            : variant(3, multisig, optional(variant(0, call.encoded)))
        const transaction = rawTransaction({ ...rest, payload })
        const message =
          secondary.length === 0 && feePayer === null
            ? signingMessage(transaction)
            : messageWithData(transaction, secondary, feePayer ?? undefined)
        const seen = see(message)
        assert.ok(seen)
        assert.deepEqual(
          [seen['sequence_number'], seen['max_gas_amount'], seen['gas_unit_price']],
          [rest.sequenceNumber, rest.maxGasAmount, rest.gasUnitPrice],
        )
        assert.deepEqual(
          [seen['expiration_timestamp_secs'], seen['chain_id']],
          [rest.expiration, BigInt(rest.chainId)],
        )
        assert.deepEqual([seen['function'], seen['arguments']], [call.function, call.arguments])
        assert.deepEqual(plain(seen['sender']), shown(rest.sender))
        assert.deepEqual(plain(seen['multisig_address']), multisig === null ? '' : shown(multisig))
        assert.deepEqual(plain(seen['secondary_signers']), secondary.map(shown))
        assert.deepEqual(plain(seen['fee_payer']), feePayer === null ? '' : shown(feePayer))
        assert.throws(() => see(concat(message, Uint8Array.of(0))), Failure)
        assert.throws(() => see(message.subarray(0, 32 + (cut % (message.length - 32)))), Failure)
      },
    ),
    { numRuns: 500 },
  )
})

/** AIP-40, written once more. */
function shown(bytes: Uint8Array): string {
  const value = BigInt(`0x${toHex(bytes)}`)
  return value < 16n ? `0x${value.toString(16)}` : `0x${value.toString(16).padStart(64, '0')}`
}

function says(condition: string, tx: SeenFields, expected: boolean | 'missing' | 'failed'): void {
  const value = parseExpression(condition, { aptos: struct(aptosNamespace) }).evaluate({ aptos: { tx } })
  assert.ok(!(value instanceof Caseless))
  assert.equal(typeof value === 'boolean' ? value : value.kind, expected, condition)
}
