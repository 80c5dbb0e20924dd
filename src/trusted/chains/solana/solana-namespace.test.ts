import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSolanaMessage } from './raw-message.ts'
import { encodeMessage } from './testing/encode.ts'
import { address, calling, data, key, SYSTEM, TOKEN } from './testing/messages.ts'
import type { SeenValue } from '../transaction.ts'
import { parseExpression } from '../../policy/expression.ts'
import { Problem } from '../../policy/problem.ts'
import { struct, type Type } from '../../policy/types.ts'
import { solanaNamespace } from './solana-namespace.ts'

const lookups = [{ tableKey: key(31), writableIndexes: Uint8Array.of(7), readonlyIndexes: Uint8Array.of(3) }]
const idl = {
  instructions: [{ name: 'pay', discriminator: [9], accounts: [{ name: 'payer' }], args: [] }],
  types: [],
}
const interfaces = [{ kind: 'solana', address: address(9), text: JSON.stringify(idl) }] as const

const payment = seenOf(calling(SYSTEM, { others: [key(2)], data: data(['u32', 2], ['u64', 5n]) }))
const tokens = seenOf(
  calling(TOKEN, { others: [key(2), key(3)], version: 0, lookups, data: data(['u8', 3], ['u64', 5n]) }),
)
const call = seenOf(calling(key(9), { data: data(['u8', 9]) }))

const conditions: readonly (readonly [string, ReturnType<typeof seenOf>, boolean | 'problem'])[] = [
  [`solana.tx.transfers.count() == 1 && solana.tx.transfers[0].to == '${address(2)}'`, payment, true],
  ['solana.tx.transfers[0].amount <= 4', payment, false],
  [`solana.tx.transfers[0].to == '${address(2)}'`, tokens, 'problem'],
  ["solana.tx.program_keys.all(p, p in ['11111111111111111111111111111111'])", payment, true],
  ["solana.tx.top_level_program_keys.all(p, p in ['11111111111111111111111111111111'])", tokens, false],
  ['solana.tx.address_table_lookups.count() > 0', tokens, true],
  ['solana.tx.address_table_lookup_references.any(r, r.writable && r.index == 7)', tokens, true],
  ["solana.tx.spl_transfers.all(t, t.token_mint == '' && t.amount < 10)", tokens, true],
  ["solana.tx.spl_transfers.all(t, t.token_mint == 'M')", payment, true],
  ["solana.tx.instructions.any(i, i.parsed_instruction_data.instruction_name == 'pay')", call, true],
  [
    `solana.tx.top_level_instructions[0].parsed_instruction_data.named_accounts['payer'] == '${address(1)}'`,
    call,
    true,
  ],
  ["solana.tx.instructions.any(i, i.parsed_instruction_data.instruction_name == 'pay')", payment, 'problem'],
  [`solana.tx.recent_blockhash == '${address(7)}'`, payment, true],
]

for (const [condition, seen, expected] of conditions) {
  test(`${condition} is ${expected === 'problem' ? 'a problem' : expected}`, () => {
    const value = parseExpression(condition, { solana: struct(solanaNamespace) }).evaluate(seen)

    assert.equal(value instanceof Problem ? 'problem' : value, expected)
  })
}

test('everything that a transaction shows is in the vocabulary, with its type', () => {
  for (const seen of [payment, tokens, call]) {
    expectFits(seen, struct({ solana: struct(solanaNamespace) }), 'seen')
  }
})

function seenOf(message: Parameters<typeof encodeMessage>[0]) {
  const seen = readSolanaMessage(encodeMessage(message), interfaces)
  assert.ok(seen !== undefined)
  return seen
}

/** Every name of a struct is there on both sides, though its value may be undefined. */
function expectFits(value: SeenValue, type: Type, at: string): void {
  if (Array.isArray(value)) {
    assert.ok(type.kind === 'list', at)
    value.forEach((each, index) => expectFits(each, type.of, `${at}[${index}]`))
  } else if (typeof value === 'object') {
    assert.ok(type.kind === 'struct' || type.kind === 'map', at)
    if (type.kind === 'struct')
      assert.deepEqual(Object.keys(value).sort(), Object.keys(type.fields).sort(), at)
    for (const [name, each] of Object.entries(value)) {
      const of = type.kind === 'map' ? type.of : type.fields[name]
      assert.ok(of !== undefined, `${at}.${name}`)
      if (each !== undefined) expectFits(each, of, `${at}.${name}`)
    }
  } else {
    assert.equal(type.kind, { bigint: 'int', boolean: 'bool', string: 'string' }[typeof value as string], at)
  }
}
