import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { base58, hex } from '@scure/base'
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem'
import {
  any,
  bin,
  concat,
  contracts,
  int,
  raw,
  transferContract,
} from '../../../src/trusted/chains/tron/testing/raw-data.ts'
import { payment } from './payments.ts'
import { aSetting } from './setting.ts'

const setting = await aSetting()
after(() => setting.close())
const { call, service, solana } = setting

const TO = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'
const SYSTEM = '11111111111111111111111111111111'
const BUDGET = 'ComputeBudget111111111111111111111111111111'
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const OTHER = base58.encode(new Uint8Array(32).fill(9))
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

type Instruction = { readonly program: string; readonly data: string }

/** An unsigned transaction of Solana in which each instruction is about the accounts of the payer and of `TO`. */
function unsigned(instructions: readonly Instruction[]): string {
  const programs = [...new Set(instructions.map(({ program }) => program))]
  const written = instructions.map(({ program, data }) => {
    const bytes = Buffer.from(data, 'hex')
    return Buffer.concat([Buffer.from([2 + programs.indexOf(program), 2, 0, 1, bytes.length]), bytes])
  })
  const keys = [solana, TO, ...programs].map((key) => base58.decode(key))
  const header = Buffer.from([1, 0, programs.length, keys.length])
  const message = [header, ...keys, Buffer.alloc(32, 7), Buffer.from([written.length]), ...written]
  return Buffer.concat([Buffer.from([1]), Buffer.alloc(64), ...message]).toString('hex')
}

function sends(lamports: bigint): Instruction {
  return { program: SYSTEM, data: `02000000${little(lamports, 8)}` }
}

function little(value: bigint, bytes: number): string {
  const written = Buffer.alloc(8)
  written.writeBigUInt64LE(value)
  return written.toString('hex', 0, bytes)
}

async function told(chain: string, signWith: string, unsignedTransaction: string) {
  const request = { kind: 'transaction', chain, signWith, unsignedTransaction }
  return (await call('try_signing', { request })).told
}

test('a payment behind twenty others is not passed over in silence', async () => {
  const dust = Array.from({ length: 20 }, () => sends(1n))
  const few = await told('solana', solana, unsigned(dust))
  assert.doesNotMatch(few.says, /more/)
  const { says, decoded } = await told(
    'solana',
    solana,
    unsigned([...dust, sends(5n), sends(7_000_000_000n)]),
  )
  assert.match(says, /It does 2 more things: see the decoded fields\./)
  assert.equal(decoded.lists['solana.tx.transfers'].at(-1).amount.coins, '7 SOL')
})

test('what a transaction of Solana does beside its payments is said, and a bound on fees is not', async () => {
  const plain = [sends(1n), { program: MEMO, data: '6869' }, { program: BUDGET, data: '02400d0300' }]
  const { says: saysPlain, decoded: shown } = await told('solana', solana, unsigned(plain))
  assert.doesNotMatch(saysPlain, /program/)
  assert.match(
    saysPlain,
    /It carries a memo, by which a bridge or an exchange may decide who gets the payment: /,
  )
  assert.equal(shown.lists['solana.tx.instructions'][1].instruction_data_hex.data, '6869')
  assert.doesNotMatch((await told('solana', solana, unsigned([sends(1n)]))).says, /memo/)
  for (const [program, data] of [
    [OTHER, '01020304'],
    // Approve of a token, and CreateAccount.
    [TOKENS, '040100000000000000'],
    [SYSTEM, '00000000'],
  ] as const) {
    const { says, decoded } = await told('solana', solana, unsigned([sends(1n), { program, data }]))
    assert.match(says, /It sends 1 lamports/)
    assert.match(
      says,
      new RegExp(`It calls the program ${program} with data that this server does not read\\.`),
    )
    assert.deepEqual(decoded.lists['solana.tx.instructions'][1], {
      program_key: { data: program },
      instruction_data_hex: { data },
    })
  }
})

test('what the fees can take from the account is said with what it sends', async () => {
  const priced = [
    // A million units, each at 7,000,001 millionths of a lamport.
    { program: BUDGET, data: `02${little(1_000_000n, 4)}` },
    { program: BUDGET, data: `03${little(7_000_001n, 8)}` },
    sends(1n),
  ]
  const { says } = await told('solana', solana, unsigned(priced))
  assert.match(says, /Its priority fee is at most 7000001 lamports \(0\.007000001 SOL\)\./)
  const most = unsigned([{ program: BUDGET, data: `03${little(2n ** 64n - 1n, 8)}` }, sends(1n)])
  assert.match(
    (await told('solana', solana, most)).says,
    /priority fee is at most 25825441703193372261 lamports/,
  )
  const paid = await told('ethereum', setting.ethereum, payment({ value: 1n, to: setting.friends[0] }))
  assert.match(paid.says, /It sends 1 wei .*Its fees are at most 120000000000000 wei \(0\.00012 ether\)\.$/)
})

test('authorizations that a transaction carries are said', async () => {
  const to = setting.friends[0] as `0x${string}`
  const word = `0x${'11'.repeat(32)}` as const
  const transaction = serializeTransaction({
    type: 'eip7702',
    chainId: 1,
    nonce: 0,
    to,
    value: 1n,
    gas: 60_000n,
    maxFeePerGas: 2n,
    maxPriorityFeePerGas: 1n,
    authorizationList: [{ address: to, chainId: 1, nonce: 1, r: word, s: word, yParity: 0 }],
  })
  const { says } = await told('ethereum', setting.ethereum, transaction)
  assert.match(says, /It carries authorizations that hand accounts over to the code of contracts\./)
  const plain = await told('ethereum', setting.ethereum, payment({ value: 1n, to }))
  assert.doesNotMatch(plain.says, /authorization/)
})

test('a number that may be units or a piece of a collection is told as either', async () => {
  const abi = parseAbi([
    'function transfer(address to, uint256 amount)',
    'function approve(address by, uint256 number)',
    'function transferFrom(address from, address to, uint256 number)',
  ])
  // An address begins with 0x.
  const [to, from] = setting.friends as [`0x${string}`, `0x${string}`]
  for (const [isEither, data] of [
    [false, encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5n] })],
    [true, encodeFunctionData({ abi, functionName: 'approve', args: [to, 5n] })],
    [true, encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, 5n] })],
  ] as const) {
    const { says } = await told('ethereum', setting.ethereum, payment({ value: 0n, to, data }))
    assert.match(says, / 5 units of the token /)
    assert.equal(says.includes('If that contract is a collection, it is the piece number 5.'), isEither, says)
  }
})

test('a contract of Tron that is no payment is not told as one', async () => {
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/195'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_TRON',
  }
  const { addresses } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Tron',
    accounts: [account],
  })
  for (const { name, number, value } of contracts()) {
    const transaction = hex.encode(raw(concat(int(1, number), any(name, value))))
    const { says } = await told('tron', addresses[0], transaction)
    if (name === 'TransferContract') assert.match(says, /It sends 5 to T\w{33} \(tron\.tx\.contract\)\./)
    else assert.match(says, new RegExp(`It carries out a ${name}, which this server does not read\\.`), name)
    assert.equal(/sends/.test(says), name === 'TransferContract', says)
    assert.doesNotMatch(says, /memo/)
  }
  const memo = concat(bin(1, 'ab12'), bin(10, '6869'), bin(11, transferContract()))
  const { says, decoded } = await told('tron', addresses[0], hex.encode(memo))
  assert.match(says, /It carries a memo, by which a bridge or an exchange may decide who gets the payment: /)
  assert.deepEqual(decoded.fields['tron.tx.data'], { data: '6869' })
})
