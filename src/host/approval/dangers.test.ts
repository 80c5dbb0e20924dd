import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat, toHex, utf8 } from '../../trusted/base/bytes.ts'
import {
  hexOf,
  paymentTo,
  psbtOf,
  testKey,
  type testScripts,
} from '../../trusted/chains/bitcoin/testing/psbt.ts'
import { bitcoinAddress } from '../../trusted/chains/bitcoin-address.ts'
import { encodeRlp, type RlpItem, rlpInteger } from '../../trusted/chains/ethereum/rlp.ts'
import { checksummed } from '../../trusted/crypto/eip55.ts'
import { fromHex } from '../../trusted/base/bytes.ts'
import type { Message } from '../../trusted/chains/solana/message.ts'
import { encodeMessage, encodeTransaction } from '../../trusted/chains/solana/testing/encode.ts'
import {
  address,
  aMessage,
  data,
  key,
  SYSTEM,
  TOKEN as TOKENS_PROGRAM,
} from '../../trusted/chains/solana/testing/messages.ts'
import * as tron from '../../trusted/chains/tron/testing/raw-data.ts'
import { base58 } from '@scure/base'
import { changeWords } from './change-words.ts'
import { EVM_TOKENS } from './chains/evm-tokens.ts'
import { KNOWN_ACTIVITIES } from './known-activities.ts'
import { type Words, wordsOf } from './words.ts'

const SPENDER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

const hex = (text: string): Uint8Array => fromHex(text.replace(/^0x/, '')) ?? new Uint8Array()
const word = (value: bigint | string): string =>
  (typeof value === 'string'
    ? value.slice(2).toLowerCase()
    : BigInt.asUintN(256, value).toString(16)
  ).padStart(64, '0')

/** What is said of a transaction on Ethereum. */
async function saidCall(
  to: string,
  data: string,
  options: { readonly value?: bigint; readonly chainId?: bigint } = {},
): Promise<Words> {
  const { value = 0n, chainId = 1n } = options
  const fields: readonly RlpItem[] = [
    ...[chainId, 1n, 10n ** 9n, 2n * 10n ** 9n, 21_000n].map(rlpInteger),
    hex(to),
    rlpInteger(value),
    hex(data),
    [],
  ]
  return await saidTransaction(toHex(concat(Uint8Array.of(2), encodeRlp(fields))))
}

async function saidTransaction(unsignedTransaction: string): Promise<Words> {
  return await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    unsignedTransaction,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  })
}

async function saidSolana(unsignedTransaction: string): Promise<Words> {
  return await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: address(1),
    unsignedTransaction,
    type: 'TRANSACTION_TYPE_SOLANA',
  })
}

async function saidPayload(payload: string, encoding: string, hashFunction: string): Promise<Words> {
  return await said('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', { signWith: 'key', payload, encoding, hashFunction })
}

async function said(type: string, parameters: object): Promise<Words> {
  const request = {
    type,
    timestampMs: '1',
    organizationId: '0198c5a0-7d3c-7000-8000-000000000001',
    parameters,
  }
  return await wordsOf(utf8(JSON.stringify(request)))
}

test('an amount is said exactly, to its last decimal', async () => {
  const one = await saidCall(SPENDER, '', { value: 1_000_000_000_000_000_001n })
  assert.match(one.sentence, /Send 1\.000000000000000001 ETH \(1000000000000000001 wei\) to 0x3C44CdDd/)
  assert.deepEqual([one.dangers, one.unknowable, one.refusals], [[], [], []])
  assert.match(
    (await saidCall(SPENDER, '', { value: 7n, chainId: 31_337n })).sentence,
    /On chain 31337: .* \(7 wei\)/,
  )
})

test('a token whose decimals are not known is said in its smallest units', async () => {
  const transfer = `a9059cbb${word(SPENDER)}${word(2_500_000n)}`
  assert.match(
    (await saidCall(TOKEN, transfer)).sentence,
    /Send 2500000 smallest units \(or the number 2500000\) of the token 0x5FbDB/,
  )
  assert.match(
    (await saidCall(USDC, transfer)).sentence,
    /Send 2\.5 USDC \(2500000 smallest units\) of the token 0xA0b8/,
  )
  assert.doesNotMatch((await saidCall(USDC, transfer, { chainId: 56n })).sentence, /USDC/)
})

test('addresses of known tokens are in the case of EIP-55', async () => {
  for (const [, address] of EVM_TOKENS) assert.equal(checksummed(hex(address)), address)
})

test('an approval without bound is said as one, whichever great number it is written with', async () => {
  for (const amount of [2n ** 256n - 1n, 2n ** 256n - 2n, 2n ** 255n, 2n ** 160n - 1n, 2n ** 96n - 1n]) {
    const words = await saidCall(TOKEN, `095ea7b3${word(SPENDER)}${word(amount)}`)
    assert.match(words.sentence, /Let 0x3C44\w+ take WITHOUT LIMIT the tokens of 0x5FbDB/)
    assert.match(words.dangers.join(), /may take ALL tokens/)
  }
  const bounded = await saidCall(TOKEN, `095ea7b3${word(SPENDER)}${word(5n)}`)
  assert.match(bounded.sentence, /Let 0x3C44\w+ take 5 smallest units/)
  assert.match(bounded.dangers.join(), /may take these tokens at any time/)
})

test('rights over all tokens, over a proxy and over a contract are said as the danger they are', async () => {
  const all = await saidCall(TOKEN, `a22cb465${word(SPENDER)}${word(1n)}`)
  assert.match(all.sentence, /Let 0x3C44\w+ move EVERY token of the collection/)
  assert.equal((await saidCall(TOKEN, `a22cb465${word(SPENDER)}${word(0n)}`)).dangers.length, 0)
  assert.match(
    (await saidCall(TOKEN, `3659cfe6${word(SPENDER)}`)).sentence,
    /Replace the code of the contract/,
  )
  assert.match((await saidCall(TOKEN, `f2fde38b${word(SPENDER)}`)).dangers.join(), /gets rights over/)
})

test('a Safe that calls says the call within, and one that runs code of others says that nothing can be known of it', async () => {
  const inner = `a9059cbb${word(SPENDER)}${word(9n)}`
  const call = (operation: bigint): string => {
    const heads = [word(TOKEN), word(0n), word(320n), word(operation), ...Array(5).fill(word(0n)), word(448n)]
    return `6a761202${heads.join('')}${word(68n)}${inner}${'0'.repeat(56)}${word(0n)}`
  }
  const plain = await saidCall(SPENDER, call(0n))
  assert.match(
    plain.sentence,
    /Have the Safe 0x3C44\w+ do this: Send 9 smallest units .* of the token 0x5FbDB/,
  )
  assert.deepEqual(plain.dangers, [])
  // What the bytes call a transfer is whatever that code makes of it: so were 1.5 billion dollars taken in 2025.
  const handed = await saidCall(SPENDER, call(1n))
  assert.match(handed.dangers.join(), /runs AS the Safe/)
  assert.match(
    handed.sentence,
    /Have the Safe 0x3C44\w+ run the code of 0x5FbD\w+ as its own \(DELEGATE CALL\), with 68 bytes\. Fees/,
  )
  assert.match(
    handed.unknowable.join(),
    /^Nothing can be known of what the code of 0x5FbD\w+ does as the Safe/,
  )
  assert.ok(
    !handed.facts.some(({ value }) => value.startsWith('transfer') && /as its standard has it/.test(value)),
  )
})

test('a Safe that pays back gas says to whom, since the price may be everything in it', async () => {
  const inner = `a9059cbb${word(SPENDER)}${word(9n)}`
  const call = (gasPrice: bigint, token: string, receiver: string): string => {
    const gas = [word(0n), word(50_000n), word(gasPrice), word(token), word(receiver), word(448n)]
    const heads = [word(TOKEN), word(0n), word(320n), word(0n), ...gas]
    return `6a761202${heads.join('')}${word(68n)}${inner}${'0'.repeat(56)}${word(0n)}`
  }
  const nobody = `0x${'0'.repeat(40)}`
  assert.deepEqual((await saidCall(TOKEN, call(0n, nobody, nobody))).dangers, [])
  const { dangers, facts } = await saidCall(TOKEN, call(10n ** 18n, USDC, SPENDER))
  assert.match(dangers.join(), /The Safe pays refundReceiver for gas: it may take everything there/)
  for (const [name, value] of [
    ['gasPrice', '1000000000000000000'],
    ['gasToken', USDC],
    ['refundReceiver', SPENDER],
  ])
    assert.ok(
      facts.some((fact) => fact.label === `Argument ${name}` && fact.value === value),
      name,
    )
  assert.equal((await saidCall(TOKEN, call(1n, nobody, nobody))).dangers.length, 1)
})

test('an account of a payment on Solana that stands in a lookup table is unknowable', async () => {
  const lookups = [{ tableKey: key(5), writableIndexes: Uint8Array.of(3), readonlyIndexes: new Uint8Array() }]
  const message = { version: 0, lookups } as const
  const sent = (of: Partial<Message>): string => toHex(encodeTransaction(aMessage(of), [new Uint8Array(64)]))
  const lamports = data(['u32', 2], ['u64', 5n])
  const paid = { programIndex: 1, data: lamports }
  const accountKeys = [key(1), SYSTEM]
  const hidden = await saidSolana(
    sent({ ...message, accountKeys, instructions: [{ ...paid, accountIndexes: Uint8Array.of(0, 2) }] }),
  )
  assert.match(hidden.sentence, /Send .*5 lamports.* to an account that the bytes do not name/)
  assert.match(hidden.unknowable.join(), /lookup table/)
  const plain = await saidSolana(
    sent({ accountKeys, instructions: [{ ...paid, accountIndexes: Uint8Array.of(0, 0) }] }),
  )
  assert.deepEqual([plain.unknowable, plain.refusals], [[], []])

  const tokens = data(['u8', 12], ['u64', 5n], ['u8', 6])
  const accountIndexes = Uint8Array.of(1, 3, 1, 0)
  const ofToken = await saidSolana(
    sent({
      ...message,
      accountKeys: [key(1), key(2), TOKENS_PROGRAM],
      instructions: [{ programIndex: 2, accountIndexes, data: tokens }],
    }),
  )
  assert.match(ofToken.sentence, /5 smallest units of a token that the bytes do not name/)
  assert.match(ofToken.unknowable.join(), /lookup table/)
})

test('a call that is not known, or not exactly encoded, and a new contract are unknowable', async () => {
  for (const data of [
    'deadbeef',
    `a9059cbb${word(SPENDER)}`,
    `a9059cbb${word(SPENDER)}${word(1n)}00`,
    'a9059cbb',
    '00',
  ])
    assert.equal((await saidCall(TOKEN, data)).unknowable.length, 1, data)
  assert.match((await saidCall('', '6000')).unknowable.join(), /the code of the new contract/)
  // As long as a known call is whole, what is beside it is said too.
  assert.match(
    (await saidCall(TOKEN, 'd0e30db0', { value: 5n })).sentence,
    /Deposit with the contract 0x5FbDB\w+, paying 0\.0+5 ETH/,
  )
})

test('a transaction that names no chain is good on every one, and says so', async () => {
  const fields: readonly RlpItem[] = [
    ...[1n, 10n ** 9n, 21_000n].map(rlpInteger),
    hex(SPENDER),
    rlpInteger(1n),
    hex(''),
  ]
  const words = await saidTransaction(toHex(encodeRlp(fields)))
  assert.match(words.sentence, /On EVERY chain/)
  assert.match(words.dangers.join(), /good on EVERY chain/)
})

test('what a transaction carries beside the call is shown', async () => {
  const fields: readonly RlpItem[] = [
    ...[1n, 1n, 1n, 2n, 21_000n].map(rlpInteger),
    hex(SPENDER),
    rlpInteger(1n),
    hex(''),
    [[hex(TOKEN), [hex('11'.repeat(32))]]],
  ]
  const { facts } = await saidTransaction(toHex(concat(Uint8Array.of(2), encodeRlp(fields))))
  assert.ok(facts.some(({ value }) => value === `0x${'11'.repeat(32)}`))
})

test('the fees of blobs are said, since they are paid beside those of gas', async () => {
  const blob = (version: string): Uint8Array => hex(`01${version.repeat(31)}`)
  const fields: readonly RlpItem[] = [
    ...[1n, 1n, 1n, 10n ** 9n, 21_000n].map(rlpInteger),
    hex(SPENDER),
    rlpInteger(1n),
    hex(''),
    [],
    rlpInteger(10n ** 12n),
    [blob('11'), blob('22')],
  ]
  // Two blobs of 131072 units of gas, and 21000 units of other gas.
  const words = await saidTransaction(toHex(concat(Uint8Array.of(3), encodeRlp(fields))))
  assert.match(words.sentence, /Fees are at most 0\.262165 ETH\.$/)
  assert.ok(words.facts.some(({ label, value }) => label === 'Fees at most' && value === '0.262165 ETH'))
})

const permit = async (
  types: object,
  primaryType: string,
  message: object,
  domain: object = { name: 'T', chainId: 1, verifyingContract: TOKEN },
) =>
  await saidPayload(
    JSON.stringify({ types, primaryType, domain, message }),
    'PAYLOAD_ENCODING_EIP712',
    'HASH_FUNCTION_NO_OP',
  )

test('a permit is said as what it lets others take', async () => {
  const Permit = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256']
  const types = { Permit: Permit.map((field) => ({ name: field.split(' ')[0], type: field.split(' ')[1] })) }
  const message = { owner: SPENDER, spender: SPENDER, value: String(2n ** 256n - 1n), nonce: 0, deadline: 1 }
  const words = await permit(types, 'Permit', message)
  assert.match(words.sentence, /It lets 0x3C44\w+ take tokens WITHOUT LIMIT, by a permit of 0x5FbDB/)
  assert.match((await permit(types, 'Permit', { ...message, value: 5 })).sentence, /take 5 smallest units/)
  assert.match(words.dangers.join(), /without a transaction of yours/)
  assert.match(
    (await permit(types, 'Permit', message, { name: 'T' })).sentence,
    /On EVERY chain: .* NO contract/,
  )
})

test('a number that an asker adds to a permit is no limit of what it lets others take', async () => {
  // Permit2 hashes the words of its caller into the type, so the caller names the last field and chooses its value.
  const fieldsOf = (text: string) =>
    text.split(', ').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))
  const types = {
    PermitWitnessTransferFrom: fieldsOf(
      'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, uint256 value',
    ),
    TokenPermissions: fieldsOf('address token, uint256 amount'),
  }
  const permitted = { token: USDC, amount: String(2n ** 256n - 1n) }
  const message = { permitted, spender: SPENDER, nonce: 0, deadline: 1, value: 5 }
  const words = await permit(types, 'PermitWitnessTransferFrom', message)
  assert.match(words.sentence, /It lets 0x3C44\w+ take tokens WITHOUT LIMIT/)
  assert.match(words.dangers.join(), /may take ALL of these tokens/)

  const listed = { Permit: fieldsOf('address spender, uint256 value, uint256[] amounts') }
  const lists = await permit(listed, 'Permit', { spender: SPENDER, value: 5, amounts: ['9'] })
  assert.match(lists.sentence, /WITHOUT LIMIT/)
  const below = { Permit: fieldsOf('address spender, int256 value') }
  assert.match((await permit(below, 'Permit', { spender: SPENDER, value: -1 })).sentence, /WITHOUT LIMIT/)
})

test('what a Safe does by a signature of typed data is said like its call', async () => {
  const SafeTx = [
    ['address', 'to'],
    ['uint256', 'value'],
    ['bytes', 'data'],
    ['uint8', 'operation'],
    ...['safeTxGas', 'baseGas', 'gasPrice'].map((name) => ['uint256', name]),
    ['address', 'gasToken'],
    ['address', 'refundReceiver'],
    ['uint256', 'nonce'],
  ].map(([type, name]) => ({ type, name }))
  const nobody = `0x${'0'.repeat(40)}`
  const gas = { safeTxGas: 0, baseGas: 0, gasPrice: 0, gasToken: nobody, refundReceiver: nobody, nonce: 7 }
  const sent = {
    to: USDC,
    value: '0',
    data: `0xa9059cbb${word(SPENDER)}${word(2_500_000n)}`,
    operation: 0,
    ...gas,
  }
  const safe = async (message: object, types: object = { SafeTx }) =>
    await permit(types, 'SafeTx', { ...sent, ...message }, { chainId: 1, verifyingContract: TOKEN })
  const paid = await safe({})
  assert.match(paid.sentence, /Have the Safe 0x5FbDB\w+ do this: Send 2\.5 USDC .* to 0x3C44/)
  assert.deepEqual([paid.unknowable, paid.dangers.length], [[], 1])
  const coins = await safe({ to: SPENDER, data: '0x', value: String(10n ** 18n) })
  assert.match(coins.sentence, /Send 1 ETH \(1000000000000000000 wei\) to 0x3C44/)
  const handed = await safe({ to: SPENDER, data: '0xdeadbeef', operation: '1' })
  assert.match(handed.sentence, /run the code of 0x3C44\w+ as its own \(DELEGATE CALL\), with 4 bytes\./)
  assert.match(handed.dangers.join(), /runs AS the Safe/)
  assert.equal(handed.unknowable.length, 1)
  const disguised = await safe({ operation: '1' })
  assert.doesNotMatch(disguised.sentence, /Send/)
  assert.equal(disguised.unknowable.length, 1)
  // A Safe hashes these types and no others.
  const others = {
    SafeTx: SafeTx.map((field) => (field.name === 'operation' ? { ...field, type: 'uint256' } : field)),
  }
  assert.doesNotMatch((await safe({}, others)).sentence, /Have the Safe/)
})

test('every field of typed data is shown, in the domain too, and texts show what cannot be seen', async () => {
  const types = {
    EIP712Domain: [{ name: 'salt', type: 'bytes32' }],
    Mail: [{ name: 'text', type: 'string' }],
  }
  const words = await permit(
    types,
    'Mail',
    { text: 'pay \u202eevil\u202c' },
    { salt: `0x${'ab'.repeat(32)}` },
  )
  assert.ok(
    words.facts.some(({ label, value }) => label === 'domain.salt' && value === `0x${'ab'.repeat(32)}`),
  )
  assert.ok(
    words.facts.some(
      ({ label, value }) => label === 'message.text' && value === '"pay \\u{202e}evil\\u{202c}"',
    ),
  )
})

test('an authorization hands the account over', async () => {
  const payload = JSON.stringify({ address: SPENDER, chainId: 0, nonce: 0 })
  const words = await saidPayload(payload, 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION', 'HASH_FUNCTION_NO_OP')
  assert.match(words.sentence, /Hand the account over to the code of 0x3C44\w+, on EVERY chain/)
  assert.match(words.dangers.join(), /may do anything with the account/)
})

test('a digest and bytes are unknowable, and a text is shown', async () => {
  const digest = await saidPayload('ab'.repeat(32), 'PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_NO_OP')
  assert.match(digest.sentence, /Sign a digest of 32 bytes of which NOTHING CAN BE KNOWN/)
  assert.equal(digest.unknowable.length, 1)
  assert.ok(digest.facts.some(({ tone, value }) => tone === 'unknowable' && value === 'ab'.repeat(32)))
  const text = await saidPayload('I agree', 'PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_SHA256')
  assert.equal(text.sentence, 'Sign the text "I agree".')
  for (const odd of ['\u0000\u0001', 'a\u200bb', 'ab\u202ecd', '\u3164'])
    assert.match(
      (await saidPayload(odd, 'PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_SHA256')).sentence,
      /NOTHING CAN BE KNOWN/,
    )
})

test('a text that is as long as a digest may be one, also behind the words of a wallet', async () => {
  // Bitcoin hashes twice, and Ed25519 keys of several chains sign a digest: 2^46 tries make every byte of one readable.
  const text = 'kX3}u!pW9;Zt r5Q(m2Lc8.Vb7/Ne4Hs'
  const bytes = async (payload: string, hashFunction: string): Promise<Words> =>
    await saidPayload(payload, 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction)
  for (const hashFunction of ['HASH_FUNCTION_SHA256', 'HASH_FUNCTION_NOT_APPLICABLE']) {
    const words = await bytes(text, hashFunction)
    assert.equal(words.sentence, `Sign the text "${text}".`)
    assert.match(words.unknowable.join(), /32 bytes.* may also be a digest/, hashFunction)
    assert.deepEqual((await bytes(`${text}.`, hashFunction)).unknowable, [])
  }
  // A Safe, and accounts of ERC-4337, accept a transaction whose digest is signed in this way.
  const message = (length: number, said: string): string => `\x19Ethereum Signed Message:\n${length}${said}`
  const wallet = await bytes(message(32, text), 'HASH_FUNCTION_KECCAK256')
  assert.equal(wallet.sentence, `Sign the text "${text}".`)
  assert.match(wallet.unknowable.join(), /32 bytes.* may also be a digest/)
  assert.deepEqual((await bytes(message(33, `${text}.`), 'HASH_FUNCTION_KECCAK256')).unknowable, [])
})

test('a text that a chain of Cosmos carries out is said as a transaction that may pay everything', async () => {
  // The document that such a chain writes from a transaction before it verifies the signature: keys in order of the
  // alphabet, and no spaces.
  const document = (msgs: string): string =>
    `{"account_number":"7","chain_id":"cosmoshub-4","fee":{"amount":[],"gas":"200000"},"memo":"","msgs":${msgs},"sequence":"1"}`
  const payment = document(
    '[{"type":"cosmos-sdk/MsgSend","value":{"amount":[{"amount":"9000000","denom":"uatom"}],"from_address":"cosmos1ours","to_address":"cosmos1theirs"}}]',
  )
  for (const [payload, hashFunction] of [
    [payment, 'HASH_FUNCTION_SHA256'],
    // Chains with addresses of Ethereum hash the same text with Keccak.
    [payment, 'HASH_FUNCTION_KECCAK256'],
    [document('[]'), 'HASH_FUNCTION_SHA256'],
  ] as const) {
    const words = await saidPayload(payload, 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction)
    assert.match(words.sentence, /^Sign a Cosmos transaction, which cannot be read here: "\{/)
    assert.match(words.unknowable.join(), /payment of everything/)
    assert.ok(words.facts.some(({ label, value }) => label === 'Text' && value === payload))
  }
  const other = await saidPayload(
    '{"account_number":7}',
    'PAYLOAD_ENCODING_TEXT_UTF8',
    'HASH_FUNCTION_SHA256',
  )
  assert.deepEqual(other.unknowable, [])
})

test('every signature that a transaction on Solana requires is paid for', async () => {
  const accountKeys = [key(1), key(2), key(3), SYSTEM]
  const instructions = [
    { programIndex: 3, accountIndexes: Uint8Array.of(1, 1), data: data(['u32', 2], ['u64', 5n]) },
  ]
  const message = aMessage({ requiredSignatures: 3, accountKeys, instructions })
  const signatures = Array.from({ length: 3 }, () => new Uint8Array(64))
  const words = await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
    signWith: address(1),
    unsignedTransaction: toHex(encodeTransaction(message, signatures)),
    type: 'TRANSACTION_TYPE_SOLANA',
  })
  assert.match(words.sentence, /\(15000 lamports\) at most/)
  const payload = toHex(encodeMessage(message))
  const raw = await saidPayload(payload, 'PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_NOT_APPLICABLE')
  assert.match(raw.sentence, /\(15000 lamports\) at most/)
})

test('a fee on Bitcoin that rests on amounts from the requester is a danger, and a proven one is none', async () => {
  const [own, other] = [testKey(7), testKey(8)]
  const saidBitcoin = async (...inputs: readonly [script: (typeof testScripts)[number], both?: boolean][]) =>
    await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: 'key',
      unsignedTransaction: hexOf(
        psbtOf(
          inputs.map(([script, both = false]) => ({
            payment: paymentTo(script, own, other),
            value: 9_000n,
            both,
          })),
        ),
      ),
      type: 'TRANSACTION_TYPE_BITCOIN',
    })
  const rests = /^The fee is only claimed: two false requests/
  for (const claimed of [
    await saidBitcoin(['wpkh'], ['wpkh']),
    await saidBitcoin(['wpkh'], ['pkh'], ['wsh(pk)'], ['tr']),
  ]) {
    assert.equal(claimed.dangers.filter((danger) => rests.test(danger)).length, 1)
  }
  for (const proven of [
    await saidBitcoin(['wpkh']),
    await saidBitcoin(['tr'], ['tr']),
    await saidBitcoin(['wpkh', true], ['wpkh', true], ['pkh']),
    // The signature of the one input covers its amount, and those of the others are proven.
    await saidBitcoin(['wpkh', true], ['wsh(pk)'], ['pkh'], ['tr']),
  ]) {
    assert.match(proven.sentence, /The fee is 0\.00001 BTC \(1000 satoshis\)\.$/)
    assert.deepEqual(proven.dangers, [])
  }
})

test('a fee from some 1,000 dollars on is a danger, in the coin of each network that has a known one', async () => {
  const onEthereum = async (chainId: bigint, gasPrice: bigint): Promise<readonly string[]> => {
    const fields: readonly RlpItem[] = [
      ...[chainId, 1n, 1n, gasPrice, 100_000n].map(rlpInteger),
      hex(SPENDER),
      rlpInteger(1n),
      hex('0x'),
      [],
    ]
    return (await saidTransaction(toHex(concat(Uint8Array.of(2), encodeRlp(fields))))).dangers
  }
  const gwei = 10n ** 9n
  const ofEther = ['It can cost fees of 0.3 ETH or more.']
  assert.deepEqual(await onEthereum(1n, 3_000n * gwei - 1n), [])
  assert.deepEqual(await onEthereum(1n, 3_000n * gwei), ofEther)
  assert.deepEqual(await onEthereum(8453n, 3_000n * gwei), ofEther)
  assert.deepEqual(await onEthereum(137n, 3_000n * gwei), [])
  assert.deepEqual(await onEthereum(11155111n, 1_000_000n * gwei), [])

  const onSolana = async (microLamports: bigint): Promise<readonly string[]> => {
    const budget = base58.decode('ComputeBudget111111111111111111111111111111')
    const price = data(['u8', 3], ['u64', microLamports])
    const instructions = [{ programIndex: 1, accountIndexes: new Uint8Array(), data: price }]
    const message = aMessage({ accountKeys: [key(1), budget], instructions })
    return (await saidSolana(toHex(encodeTransaction(message, [new Uint8Array(64)])))).dangers
  }
  assert.deepEqual(await onSolana(3_500_000_000n), [])
  assert.deepEqual(await onSolana(3_600_000_000n), ['It can cost fees of 5 SOL or more.'])

  const onTron = async (limit: bigint): Promise<readonly string[]> =>
    (
      await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
        signWith: 'key',
        unsignedTransaction: toHex(
          concat(tron.bin(1, 'ab12'), tron.bin(11, tron.transferContract()), tron.int(18, limit)),
        ),
        type: 'TRANSACTION_TYPE_TRON',
      })
    ).dangers
  assert.deepEqual(await onTron(2_999_999_999n), [])
  assert.deepEqual(await onTron(3_000_000_000n), ['It can cost fees of 3000 TRX or more.'])
})

test('a memo is said, since a bridge or an exchange decides by it who gets a payment', async () => {
  const memo = '=:ETH.ETH:0x3C44". It is yours.'
  const quoted = '"=:ETH.ETH:0x3C44\\\\". It is yours."'.replaceAll('\\\\', '\\')
  const saidTron = async (data: Uint8Array): Promise<Words> =>
    await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: 'key',
      unsignedTransaction: toHex(
        concat(tron.bin(1, 'ab12'), tron.bin(10, data), tron.bin(11, tron.transferContract())),
      ),
      type: 'TRANSACTION_TYPE_TRON',
    })
  const onTron = await saidTron(utf8(memo))
  assert.ok(onTron.sentence.includes(` to T`) && onTron.sentence.includes(` The memo is ${quoted}. `))
  assert.deepEqual(
    onTron.facts.flatMap(({ label, value }) => (label === 'Memo' ? [value] : [])),
    [quoted],
  )
  assert.match((await saidTron(Uint8Array.of(255, 1))).sentence, / The memo is 2 bytes that are no text\. /)
  const long = await saidTron(utf8('a'.repeat(500)))
  assert.match(long.sentence, /The memo is "a{199}… \(all of it below\)"\. /)
  assert.ok(long.facts.some(({ label, value }) => label === 'Memo' && value === `"${'a'.repeat(500)}"`))

  const program = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
  const message = aMessage({
    accountKeys: [key(1), key(2), SYSTEM, base58.decode(program)],
    instructions: [
      { programIndex: 3, accountIndexes: Uint8Array.of(0), data: utf8(memo) },
      { programIndex: 2, accountIndexes: Uint8Array.of(0, 1), data: data(['u32', 2], ['u64', 5n]) },
    ],
  })
  const onSolana = await saidSolana(toHex(encodeTransaction(message, [new Uint8Array(64)])))
  assert.ok(onSolana.sentence.includes(`Send 0.000000005 SOL (5 lamports)`))
  assert.ok(onSolana.sentence.includes(` The memo is ${quoted}. `))
  assert.deepEqual([onSolana.dangers, onSolana.unknowable], [[], []])
})

test('a loan of resources on Tron that cannot be taken back says for how long', async () => {
  const saidLoan = async (...lock: readonly Uint8Array[]): Promise<string> => {
    const value = concat(tron.owner(), tron.int(2, 1), tron.int(3, 5_000_000), tron.bin(4, tron.to), ...lock)
    const contract = concat(tron.int(1, 57), tron.any('DelegateResourceContract', value))
    const words = await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith: 'key',
      unsignedTransaction: toHex(tron.raw(contract)),
      type: 'TRANSACTION_TYPE_TRON',
    })
    return words.sentence
  }
  assert.match(await saidLoan(), /: Lend the ENERGY of 5 TRX \(5000000 sun\) to T\w+\. Contracts/)
  assert.match(
    await saidLoan(tron.int(5, 1), tron.int(6, 10_512_000)),
    /to T\w+, locked for 10512000 blocks\. /,
  )
  // Nodes lock for three days where no period is named.
  assert.match(await saidLoan(tron.int(5, 1)), /to T\w+, locked for 86400 blocks\. /)
})

test('addresses of a test network are a danger, since a PSBT that names them may spend coins of the main one', async () => {
  const payment = paymentTo('wpkh', testKey(7), testKey(8))
  const unsignedTransaction = hexOf(psbtOf([{ payment, value: 9_000n }]))
  const saidOf = async (signWith: string): Promise<Words> =>
    await said('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', {
      signWith,
      unsignedTransaction,
      type: 'TRANSACTION_TYPE_BITCOIN',
    })
  for (const network of ['TESTNET', 'REGTEST'] as const)
    for (const script of ['P2WPKH', 'P2PKH', 'P2TR'] as const) {
      const words = await saidOf(bitcoinAddress(network, script)(testKey(7).publicKey))
      assert.match(words.dangers.join(), /real coins/, `${network} ${script}`)
    }
  for (const script of ['P2WPKH', 'P2PKH', 'P2TR'] as const)
    assert.deepEqual((await saidOf(bitcoinAddress('MAINNET', script)(testKey(7).publicKey))).dangers, [])
})

test('a message under EIP-191 is said as its text, and only with its own length', async () => {
  const saidMessage = async (length: string, text: string): Promise<string> => {
    const payload = toHex(utf8(`\x19Ethereum Signed Message:\n${length}${text}`))
    return (await saidPayload(payload, 'PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_KECCAK256')).sentence
  }
  assert.equal(await saidMessage('5', 'hello'), 'Sign the text "hello".')
  assert.equal(await saidMessage('5', '1 and'), 'Sign the text "1 and".')
  for (const length of ['4', '05', '', '55'])
    assert.match(await saidMessage(length, 'hello'), /NOTHING CAN BE KNOWN/, length)
})

test('of many things the first are said in the sentence, and all of them below it', async () => {
  const payloads = Array.from({ length: 20 }, (_, at) => `text number ${at}`)
  const how = { encoding: 'PAYLOAD_ENCODING_TEXT_UTF8', hashFunction: 'HASH_FUNCTION_SHA256' }
  const words = await said('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { signWith: 'key', payloads, ...how })
  assert.match(
    words.sentence,
    /^Sign 20 payloads\. 1\. Sign the text "text number 0".* And 12 MORE, all of them below\.$/,
  )
  for (const payload of payloads)
    assert.ok(
      words.facts.some(({ value }) => value === payload),
      payload,
    )
})

test('of several payloads each danger is said, and whatever of them cannot be known', async () => {
  const how = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_SHA256' }
  const payloads = [toHex(Uint8Array.of(0, 1)), toHex(utf8('I agree')), toHex(Uint8Array.of(0, 1, 2))]
  const words = await said('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', { signWith: 'key', payloads, ...how })
  assert.match(words.dangers.join(), /can serve as a login or an agreement/)
  assert.match(words.unknowable.join(), /of 2 raw bytes.*of 3 raw bytes/)
  const tones = words.facts.filter(({ tone }) => tone === 'unknowable').map(({ label }) => label)
  assert.deepEqual(tones, ['Payload 1: Raw bytes', 'Payload 3: Raw bytes'])
})

test('a transaction that comes as raw bytes is said as the transaction', async () => {
  const fields: readonly RlpItem[] = [
    ...[1n, 1n, 1n, 2n, 21_000n].map(rlpInteger),
    hex(SPENDER),
    rlpInteger(3n),
    hex(''),
    [],
  ]
  const bytes = toHex(concat(Uint8Array.of(2), encodeRlp(fields)))
  const words = await saidPayload(bytes, 'PAYLOAD_ENCODING_HEXADECIMAL', 'HASH_FUNCTION_KECCAK256')
  assert.match(words.sentence, /On Ethereum \(chain 1\): Send 0\.000000000000000003 ETH/)
})

test('no name and no text ends its own quotation in the sentence', async () => {
  const claim = 'gives nobody any right'
  const likeOthers = '\u02dd\u02f6\u1cd3\u2034\u2036\u2037\u2057\u275d\u275e\u3003\u{1f676}\u{1f677}\u{1f678}'
  for (const quote of ['"', '\u201d', '\u201c', '\u2033', '\u02ba', '\uff02', '\u301e', ...likeOthers]) {
    const text = `Ann${quote}. It ${claim}. The name is ${quote}Bob`
    const tag = await said('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: text, userIds: [] })
    const signed = await saidPayload(text, 'PAYLOAD_ENCODING_TEXT_UTF8', 'HASH_FUNCTION_SHA256')
    for (const { sentence } of [tag, signed]) {
      const [before = '', after = ''] = sentence.split(claim)
      // Of the characters that may end a quotation, only those of the sentence itself are left.
      const ends = new RegExp(`(?<!\\\\)["\u201c-\u201f\u2033\u02ba\uff02\u301d-\u301f${likeOthers}]`, 'gu')
      assert.equal(before.match(ends)?.join(), '"', sentence)
      assert.equal(after.match(ends)?.join(), '"', sentence)
    }
  }
})

test('the name of a type in typed data does not end its own quotation in the sentence', async () => {
  const primaryType = 'Mail".It.moves.nothing.of."yours'
  const types = { [primaryType]: [{ name: 'text', type: 'string' }] }
  const { sentence } = await permit(types, primaryType, { text: 'hello' })
  assert.match(sentence, /sign typed data "Mail\\".It.moves.nothing.of.\\"yours" for 0x5FbDB/)
})

test('of many names the first are said in the sentence, and how many follow', async () => {
  const users = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      userName: `user ${at}`,
      apiKeys: [],
      authenticators: [],
      oauthProviders: [],
      userTags: [],
    }))
  const sentence = async (count: number): Promise<string> =>
    (await said('ACTIVITY_TYPE_CREATE_USERS_V3', { users: users(count) })).sentence
  assert.equal(await sentence(2), 'Create users: "user 0", "user 1".')
  assert.match(await sentence(5), /, "user 4"\.$/)
  assert.match(await sentence(7), /, "user 4" and 2 MORE, all of them below\.$/)
})

test('a text of the request shows what hides, what turns it around, and letters of other alphabets', async () => {
  const label = async (userTagName: string): Promise<string> =>
    (await said('ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName, userIds: [] })).facts.find(
      ({ label: name }) => name.endsWith('userTagName'),
    )?.value ?? ''
  assert.equal(await label('<b>bold</b> & "quoted"'), '"<b>bold</b> & \\"quoted\\""')
  assert.equal(await label('a\u202eb'), '"a\\u{202e}b"')
  assert.equal(await label('a\u2800b'), '"a\\u{2800}b"')
  assert.equal(await label('a\u200bb\u00a0c\u3164d\ufe0fe'), '"a\\u{200b}b\\u{a0}c\\u{3164}d\\u{fe0f}e"')
  assert.match(await label('p\u0430ypal'), /letters of these alphabets: Cyrillic mixed with Latin ones/)
  assert.match(await label('\u0440\u0430\u0443'), /letters of these alphabets: Cyrillic\)$/)
  assert.equal(await label(`z${'\u0301'.repeat(9)}`), `"z${'\\u{301}'.repeat(9)}"`)
  assert.notEqual(await label('\\u{202e}'), await label('\u202e'))
  assert.equal((await label('x'.repeat(30_000))).length, 30_002)
})

test('what looks like a usual letter, digit or address and is another is noted', async () => {
  const noted = async (url: string): Promise<string> => {
    const words = await said('ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
      url,
      name: 'Ledger',
      subscriptions: [],
    })
    return words.facts.find(({ label }) => label === 'parameters.url')?.value ?? ''
  }
  for (const letter of [
    '\u2113',
    '\u212a',
    '\u0131',
    '\u0251',
    '\u1d00',
    '\u029f',
    '\u217c',
    '\u24d0',
    '\u09ea',
    '\u0661',
  ])
    assert.match(await noted(`pay${letter}ee`), /" \(letters of these alphabets: /, escape(letter))
  for (const usual of ['Zoë O’Neill', 'café № 5', '1,000 € ™', '3² — ½', 'https://bank.example/hooks?a=b'])
    assert.equal(await noted(usual), `"${usual}"`)
  const host = 'bank.xn--examplehooks-xk0g.evil.example'
  assert.equal(
    await noted('https://bank.example\u2044hooks.evil.example/x'),
    `"https://bank.example\u2044hooks.evil.example/x" (its host is ${host})`,
  )
  assert.match(
    await noted('https://b\u0430nk.example/'),
    /Cyrillic mixed with .* its host is xn--bnk-6cd\.example\)$/,
  )
})

test('a recovery set is said as the way in that it is, and other features are not', async () => {
  const danger = async (name: string): Promise<string> =>
    (await said('ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '{}' })).dangers.join()
  assert.match(await danger('FEATURE_NAME_ORGANIZATION_RECOVERY'), /may make anybody a root user/)
  assert.doesNotMatch(await danger('FEATURE_NAME_SMS_AUTH'), /root user/)
})

test('a new address of a user is said as the way in that it may be, in every activity that sets one', async () => {
  const userId = '0198c5a0-7d3c-7000-8000-000000000002'
  const danger = async (type: string, parameters: object): Promise<string> =>
    (await said(type, { userId, ...parameters })).dangers.join()
  for (const [type, parameters] of [
    ['ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userEmail: 'mallory@example.com' }],
    ['ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userPhoneNumber: '+15550001111' }],
    ['ACTIVITY_TYPE_UPDATE_USER', { userEmail: 'mallory@example.com' }],
    ['ACTIVITY_TYPE_UPDATE_USER', { userPhoneNumber: '+15550001111' }],
    ['ACTIVITY_TYPE_UPDATE_USER', { user_email: 'mallory@example.com' }],
  ] as const)
    assert.match(await danger(type, parameters), /may get codes with which to log in as the user/, type)
  const renamed = await danger('ACTIVITY_TYPE_UPDATE_USER', { userName: 'Ada' })
  assert.doesNotMatch(renamed, /codes/)
  assert.match(renamed, /Policies may depend on the name, the e-mail address and the tags/)
  assert.match(await danger('ACTIVITY_TYPE_UPDATE_USER_NAME', { userName: 'Ada' }), /depend on the name/)
})

test('what changes a way in, or what policies see, is said as a danger: of few changes nothing is', () => {
  const harmless = Object.values(KNOWN_ACTIVITIES)
    .filter((activity) => changeWords(activity, {}).dangers?.length === 0)
    .map(({ kind }) => kind)
  assert.deepEqual([...new Set(harmless)].toSorted(), [
    'APPROVE_ACTIVITY',
    'CREATE_PRIVATE_KEYS',
    'CREATE_SESSION_PROFILE',
    'CREATE_SUB_ORGANIZATION',
    'CREATE_WALLET',
    'CREATE_WALLET_ACCOUNTS',
    'DELETE_INVITATION',
    'DELETE_WEBHOOK_ENDPOINT',
    'INIT_OTP',
    'REJECT_ACTIVITY',
    'VERIFY_OTP',
    'VERIFY_WALLET_AUTHENTICATOR',
  ])
})
