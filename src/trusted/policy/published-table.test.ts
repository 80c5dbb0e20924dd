import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseless } from '../base/caseless.ts'
import { checkPolicyTerms } from './compile-policy.ts'
import type { Approval } from './people.ts'
import {
  A,
  activity,
  allow,
  anyA,
  anyB,
  B,
  C,
  D,
  decide,
  deny,
  NOW,
  R,
  type Rule,
  SIGN,
  told,
  twoOps,
  withPasskey,
} from './testing/members.ts'
import {
  bool,
  dynamic,
  type Facts,
  int,
  list,
  map,
  string,
  struct,
  type Value,
  type Vocabulary,
} from './types.ts'

/**
 * The table of published decisions (semantics, section 3.9), row by row, as far as policies alone decide: who submits
 * and approves, what they see of the activity, and what comes of it. Rows about root quorums, queries, credentials of
 * one's own and transactions that are not even read are decided through HTTP.
 */
const ELSEWHERE = [4, 5, 6, 8, 9, 10, 12, 48, 52, 69, 70]

const vocabulary: Vocabulary = {
  activity: struct({
    type: string,
    kind: string,
    resource: string,
    action: string,
    params: struct({ user_id: string, user_ids: list(string), encoding: string, hash_function: string }),
  }),
  wallet: struct({ id: string }),
  wallet_account: struct({ address: string, path_indexes: list(int), path_hardened: list(bool) }),
  private_key: struct({ id: string, tags: list(string), exported: bool }),
  eth: struct({
    tx: struct({
      to: string,
      data: string,
      value: int,
      chain_id: int,
      nonce: int,
      max_fee_per_gas: int,
      type: string,
      function_name: string,
      contract_call_args: map(dynamic),
    }),
    eip_712: struct({
      primary_type: string,
      domain: struct({ chain_id: int, verifying_contract: string }),
      message: map(dynamic),
    }),
    eip_7702_authorization: struct({ address: string, chain_id: int }),
  }),
  solana: struct({
    tx: struct({
      transfers: list(struct({ to: string, amount: int })),
      spl_transfers: list(struct({ token_mint: string, amount: int })),
      program_keys: list(string),
      instructions: list(struct({ parsed_instruction_data: struct({ instruction_name: string }) })),
      address_table_lookups: list(struct({ address_table_key: string })),
    }),
  }),
  bitcoin: struct({ tx: struct({ outputs: list(struct({ address: string })), fee: int }) }),
  tron: struct({ tx: struct({ contract: list(struct({ type: string, amount: int })) }) }),
  tempo: struct({ tx: struct({ calls: list(struct({ function_signature: string })) }) }),
}

/** Policies, the activity, who approves (the last is the voter; A when nobody is named), when, and what comes of it. */
type Decision = {
  readonly row: number
  readonly rules: readonly Rule[]
  readonly facts: Facts
  readonly approvals?: readonly Approval[]
  readonly now?: number
  readonly comesTo: string
}

const rawPayload = {
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hash_function: 'HASH_FUNCTION_NO_OP',
}
const signs = activity('SIGN_RAW_PAYLOAD', 'PRIVATE_KEY', 'SIGN', rawPayload, '_V2')
const E1 = { address: '0xAbC1000000000000000000000000000000000001' }
const signsWithE1 = { ...signs, wallet: { id: 'W1' }, wallet_account: E1 }
const createsPolicy = activity('CREATE_POLICY', 'POLICY', 'CREATE', {}, '_V3')
const deletes = (...ids: readonly string[]): Facts =>
  activity('DELETE_USERS', 'USER', 'DELETE', { user_ids: ids })
const initOtp = (version: string): Facts => activity('INIT_OTP', 'OTP', 'CREATE', {}, version)
const signsTransaction = activity('SIGN_TRANSACTION', 'PRIVATE_KEY', 'SIGN', {}, '_V2')
const eth = (tx: Facts): Facts => ({
  ...signsTransaction,
  wallet: { id: 'W1' },
  wallet_account: E1,
  eth: { tx },
})
const solana = (tx: Facts): Facts => ({ ...signsTransaction, solana: { tx } })
const sends = (...to: readonly string[]): Facts =>
  solana({ transfers: to.map((item) => ({ to: item, amount: 1n })) })
const typedData = (value: Value): Facts => ({
  ...activity('SIGN_RAW_PAYLOAD', 'PRIVATE_KEY', 'SIGN', { encoding: 'PAYLOAD_ENCODING_EIP712' }, '_V2'),
  eth: {
    eip_712: {
      primary_type: 'Permit',
      domain: { chain_id: 1n, verifying_contract: caseless('0xCC') },
      message: { spender: caseless('0xaa'), value },
    },
  },
})
const key = (exported: boolean): Facts => ({ ...signs, private_key: { id: 'K1', tags: ['hot'], exported } })
const exportsAccount = {
  ...activity('EXPORT_WALLET_ACCOUNT', 'WALLET', 'EXPORT', {}),
  wallet_account: {
    ...E1,
    path_indexes: [44n, 60n, 0n, 0n, 0n],
    path_hardened: [true, true, true, false, false],
  },
}

const passkey = "credentials.any(c, c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')"
const noOp = deny(
  "activity.params.encoding in ['PAYLOAD_ENCODING_HEXADECIMAL','PAYLOAD_ENCODING_TEXT_UTF8'] && activity.params.hash_function == 'HASH_FUNCTION_NO_OP'",
)
const twoOperators = allow("activity.resource == 'POLICY'", twoOps)
const allOps = allow('true', "approvers.all(u, u.tags.contains('ops'))")
const transfersLittle = allow("eth.tx.function_name == 'transfer' && eth.tx.contract_call_args['amt'] < 100")
const transfer = (amount: bigint): Facts =>
  eth({ function_name: 'transfer', contract_call_args: { amt: amount } })
const callsOf = (...targets: readonly string[]): Facts =>
  eth({ contract_call_args: { calls: targets.map((target) => [caseless(target), 0n, '0x']) } })
const permit =
  "eth.eip_712.primary_type == 'Permit' && eth.eip_712.domain.chain_id == 1 && eth.eip_712.message['spender'] == '0xAA'"
const oneTransfer = allow("solana.tx.transfers.count() == 1 && solana.tx.transfers[0].to == 'X'")
const programs = allow("solana.tx.program_keys.all(p, p in ['1111','Tok'])")
const littleOfM = allow("solana.tx.spl_transfers.all(t, t.token_mint == 'M' && t.amount < 10)")
const routes = allow("solana.tx.instructions.any(i, i.parsed_instruction_data.instruction_name == 'route')")
const pays = allow("bitcoin.tx.outputs.all(o, o.address == 'bc1q') && bitcoin.tx.fee < 1000")
const psbt = (fee: bigint, ...to: readonly string[]): Facts => ({
  ...signsTransaction,
  bitcoin: { tx: { outputs: to.map((address) => ({ address })), fee } },
})
const trx = (amount: bigint): Facts => ({
  ...signsTransaction,
  tron: { tx: { contract: [{ type: 'TransferContract', amount }] } },
})
const tempo = (...signatures: readonly string[]): Facts => ({
  ...signsTransaction,
  tempo: { tx: { calls: signatures.map((signature) => ({ function_signature: signature })) } },
})
const deepPath = allow(
  "activity.kind == 'EXPORT_WALLET_ACCOUNT' && wallet_account.path_indexes.count() == 5 && wallet_account.path_hardened[0] == true",
)
const deletesItself = allow(
  "activity.kind == 'DELETE_USERS' && activity.params.user_ids.all(i, i == 'A')",
  anyA,
)
const at = (rule: Rule, time: string): Rule => ({ ...rule, time })
const MARCH = Date.UTC(2026, 2, 1)
const fromMarch = at(allow(SIGN), "time.now >= Timestamp('2026-03-01T00:00:00Z')")
const atNight = at(allow(SIGN), "CronSpan('0 22 * * *','8h','UTC')")
const neverOn = at(deny(SIGN), "time.now < Timestamp('2026-01-01T00:00:00Z')")

const decisions: readonly Decision[] = [
  { row: 1, rules: [], facts: signs, comesTo: 'none' },
  { row: 2, rules: [allow(SIGN)], facts: signs, comesTo: 'allow ALLOW' },
  {
    row: 3,
    rules: [allow(SIGN), deny("wallet.id == 'W1'")],
    facts: signsWithE1,
    comesTo: 'deny ALLOW DENY_EXPLICIT',
  },
  {
    row: 7,
    rules: [allow("activity.kind == 'CREATE_WALLET'", "approvers.any(u, u.id == 'R')")],
    facts: activity('CREATE_WALLET', 'WALLET', 'CREATE', {}),
    approvals: [R],
    comesTo: 'allow ALLOW',
  },
  {
    row: 11,
    rules: [deny("activity.resource == 'CREDENTIAL'")],
    facts: activity('CREATE_API_KEYS', 'CREDENTIAL', 'CREATE', {}),
    comesTo: 'deny DENY_EXPLICIT',
  },
  { row: 13, rules: [twoOperators], facts: createsPolicy, comesTo: 'consensus REQUIRES_CONSENSUS' },
  { row: 14, rules: [twoOperators], facts: createsPolicy, approvals: [A, B], comesTo: 'allow ALLOW' },
  // C contributes nothing, so the approval itself is refused.
  { row: 15, rules: [twoOperators], facts: createsPolicy, approvals: [A, C], comesTo: 'none DENY_IMPLICIT' },
  { row: 16, rules: [allow('true', anyB)], facts: signs, comesTo: 'none DENY_IMPLICIT' },
  {
    row: 17,
    rules: [allow('true', `${anyA} && ${anyB}`)],
    facts: signs,
    comesTo: 'consensus REQUIRES_CONSENSUS',
  },
  { row: 18, rules: [allOps], facts: signs, comesTo: 'allow ALLOW' },
  { row: 18, rules: [allOps], facts: signs, approvals: [D], comesTo: 'none DENY_IMPLICIT' },
  { row: 19, rules: [allow(SIGN, passkey)], facts: signs, comesTo: 'none DENY_IMPLICIT' },
  {
    row: 20,
    rules: [allow(SIGN, passkey)],
    facts: signs,
    approvals: [withPasskey(A)],
    comesTo: 'allow ALLOW',
  },
  {
    row: 21,
    rules: [allow(undefined, "approvers.any(u, u.email == 'a@x.io' && u.alias != 'Z')")],
    facts: signs,
    comesTo: 'allow ALLOW',
  },
  {
    row: 22,
    rules: [allow("activity.type == 'ACTIVITY_TYPE_INIT_OTP_V2'")],
    facts: initOtp('_V3'),
    comesTo: 'none DENY_IMPLICIT',
  },
  ...['', '_V2', '_V3'].map((version) => ({
    row: 23,
    rules: [allow("activity.kind == 'INIT_OTP'")],
    facts: initOtp(version),
    comesTo: 'allow ALLOW',
  })),
  {
    row: 24,
    rules: [allow("activity.resource == 'OTP' && activity.action != 'CREATE'")],
    facts: activity('VERIFY_OTP', 'OTP', 'VERIFY', {}, '_V2'),
    comesTo: 'allow ALLOW',
  },
  {
    row: 25,
    rules: [allow("wallet.id == 'W1' || private_key.id == 'K1'")],
    facts: signsWithE1,
    comesTo: 'none ERROR',
  },
  {
    row: 26,
    rules: [allow("wallet.id == 'W1'"), allow("private_key.id == 'K1'")],
    facts: signsWithE1,
    comesTo: 'allow ALLOW ERROR',
  },
  {
    row: 27,
    rules: [allow('true'), deny("private_key.id == 'K1'")],
    facts: signsWithE1,
    comesTo: 'allow ALLOW ERROR',
  },
  {
    row: 28,
    rules: [allow("eth.tx.to == '0xabc0000000000000000000000000000000000001'")],
    facts: eth({ to: caseless('0xABc0000000000000000000000000000000000001') }),
    comesTo: 'allow ALLOW',
  },
  {
    row: 29,
    rules: [allow("wallet_account.address == '0xabc1000000000000000000000000000000000001'")],
    facts: signsWithE1,
    comesTo: 'none DENY_IMPLICIT',
  },
  {
    row: 30,
    rules: [
      allow(
        "CaseInsensitiveString(wallet_account.address) == CaseInsensitiveString('0xABC1000000000000000000000000000000000001')",
      ),
    ],
    facts: signsWithE1,
    comesTo: 'allow ALLOW',
  },
  ...[1000n, 1001n].map((value) => ({
    row: 31,
    rules: [allow('eth.tx.value <= 1000 && eth.tx.chain_id == 1')],
    facts: eth({ value, chain_id: 1n }),
    comesTo: value === 1000n ? 'allow ALLOW' : 'none DENY_IMPLICIT',
  })),
  {
    row: 32,
    rules: [allow("eth.tx.data[0..10] == '0xa9059cbb'")],
    facts: eth({ data: `0xa9059cbb${'00'.repeat(64)}` }),
    comesTo: 'allow ALLOW',
  },
  {
    row: 33,
    rules: [allow("eth.tx.data[0..10] == '0xa9059cbb'")],
    facts: eth({ data: '0x' }),
    comesTo: 'none ERROR',
  },
  {
    row: 34,
    rules: [allow("eth.tx.type == 'TYPE_2' && eth.tx.nonce < 5 && eth.tx.max_fee_per_gas > 0")],
    facts: eth({ type: 'TYPE_2', nonce: 4n, max_fee_per_gas: 1n }),
    comesTo: 'allow ALLOW',
  },
  { row: 35, rules: [transfersLittle], facts: transfer(99n), comesTo: 'allow ALLOW' },
  { row: 35, rules: [transfersLittle], facts: transfer(100n), comesTo: 'none DENY_IMPLICIT' },
  { row: 36, rules: [transfersLittle], facts: eth({ data: '0xa9059cbb' }), comesTo: 'none ERROR' },
  ...[[['0xAB', '0xab'], 'allow ALLOW'] as const, [['0xAB', '0xcd'], 'none DENY_IMPLICIT'] as const].map(
    ([targets, comesTo]) => ({
      row: 37,
      rules: [allow("eth.tx.contract_call_args['calls'].all(c, c[0] == '0xab')")],
      facts: callsOf(...targets),
      comesTo,
    }),
  ),
  {
    row: 38,
    rules: [allow("eth.tx.contract_call_args['calls'].all(c, c['target'] == '0xab')")],
    facts: callsOf('0xab'),
    comesTo: 'none ERROR',
  },
  { row: 39, rules: [allow(permit)], facts: typedData('5'), comesTo: 'allow ALLOW' },
  ...(['5', 5n] as const).map((value) => ({
    row: 40,
    rules: [allow(`${permit} && eth.eip_712.message['value'] == '5'`)],
    facts: typedData(value),
    comesTo: value === '5' ? 'allow ALLOW' : 'none ERROR',
  })),
  { row: 41, rules: [noOp, allow(SIGN)], facts: signs, comesTo: 'deny DENY_EXPLICIT ALLOW' },
  { row: 42, rules: [noOp, allow(SIGN)], facts: signsTransaction, comesTo: 'allow ERROR ALLOW' },
  {
    row: 43,
    rules: [allow("eth.eip_7702_authorization.address == '0xDd'")],
    facts: { ...signs, eth: { eip_7702_authorization: { address: caseless('0xDd'), chain_id: 1n } } },
    comesTo: 'allow ALLOW',
  },
  { row: 44, rules: [oneTransfer], facts: sends('X'), comesTo: 'allow ALLOW' },
  { row: 44, rules: [oneTransfer], facts: sends('X', 'X'), comesTo: 'none DENY_IMPLICIT' },
  { row: 45, rules: [oneTransfer], facts: sends(), comesTo: 'none ERROR' },
  {
    row: 46,
    rules: [programs],
    facts: solana({ program_keys: ['Tok', '1111'] }),
    comesTo: 'allow ALLOW',
  },
  {
    row: 46,
    rules: [programs],
    facts: solana({ program_keys: ['Tok', '1111', 'Other'] }),
    comesTo: 'none DENY_IMPLICIT',
  },
  {
    row: 47,
    rules: [deny('solana.tx.address_table_lookups.count() > 0'), allow(SIGN)],
    facts: solana({ address_table_lookups: [{ address_table_key: 'T' }] }),
    comesTo: 'deny DENY_EXPLICIT ALLOW',
  },
  { row: 49, rules: [littleOfM], facts: solana({ spl_transfers: [] }), comesTo: 'allow ALLOW' },
  {
    row: 50,
    rules: [routes],
    facts: solana({ instructions: [{ parsed_instruction_data: { instruction_name: 'route' } }] }),
    comesTo: 'allow ALLOW',
  },
  { row: 50, rules: [routes], facts: solana({ instructions: [{}] }), comesTo: 'none ERROR' },
  { row: 51, rules: [pays], facts: psbt(999n, 'bc1q', 'bc1q'), comesTo: 'allow ALLOW' },
  { row: 51, rules: [pays], facts: psbt(1000n, 'bc1q'), comesTo: 'none DENY_IMPLICIT' },
  ...[1_000_000n, 2_000_000n].map((amount) => ({
    row: 53,
    rules: [allow("tron.tx.contract[0].type == 'TransferContract' && tron.tx.contract[0].amount <= 1000000")],
    facts: trx(amount),
    comesTo: amount === 1_000_000n ? 'allow ALLOW' : 'none DENY_IMPLICIT',
  })),
  ...['0xa9059cbb', '0x095ea7b3'].map((second) => ({
    row: 54,
    rules: [allow("tempo.tx.calls.all(c, c.function_signature == '0xa9059cbb')")],
    facts: tempo('0xa9059cbb', second),
    comesTo: second === '0xa9059cbb' ? 'allow ALLOW' : 'none DENY_IMPLICIT',
  })),
  ...[false, true].map((exported) => ({
    row: 55,
    rules: [allow("private_key.tags.contains('hot') && !private_key.exported")],
    facts: key(exported),
    comesTo: exported ? 'none DENY_IMPLICIT' : 'allow ALLOW',
  })),
  { row: 56, rules: [deepPath], facts: exportsAccount, comesTo: 'allow ALLOW' },
  { row: 57, rules: [deepPath], facts: signsWithE1, comesTo: 'none ERROR' },
  { row: 61, rules: [deletesItself], facts: deletes('A'), comesTo: 'allow ALLOW' },
  { row: 61, rules: [deletesItself], facts: deletes('A', 'B'), comesTo: 'none DENY_IMPLICIT' },
  { row: 62, rules: [fromMarch], facts: signs, now: MARCH - 1, comesTo: 'none TIME_INACTIVE' },
  { row: 62, rules: [fromMarch], facts: signs, now: MARCH, comesTo: 'allow ALLOW' },
  { row: 64, rules: [atNight], facts: signs, now: MARCH + 359 * 60_000, comesTo: 'allow ALLOW' },
  { row: 64, rules: [atNight], facts: signs, now: MARCH + 360 * 60_000, comesTo: 'none TIME_INACTIVE' },
  { row: 65, rules: [neverOn, allow(SIGN)], facts: signs, comesTo: 'allow TIME_INACTIVE ALLOW' },
  {
    row: 67,
    rules: [
      allow(
        "1 in [1,2,3] && 'abc'[0..2] == 'ab' && [3,1][0] == 3 && [1,1].all(x, x == 1) && [1,2].filter(x, x > 1).count() == 1",
      ),
    ],
    facts: signs,
    comesTo: 'allow ALLOW',
  },
  {
    row: 68,
    rules: [allow("activity.params.user_id == 'A'", anyA)],
    facts: activity('CREATE_USERS', 'USER', 'CREATE', {}),
    comesTo: 'none ERROR',
  },
]

for (const [index, { row, rules, facts, approvals = [A], now = NOW, comesTo }] of decisions.entries()) {
  const ofRow = decisions.slice(0, index + 1).filter((decision) => decision.row === row).length
  test(`row ${row} of the published table, case ${ofRow}, comes to ${comesTo}`, () => {
    for (const { condition, consensus, time } of rules)
      checkPolicyTerms({ condition, consensus, time }, vocabulary)

    assert.equal(told(decide(rules, facts, approvals, { vocabulary, now })), comesTo)
  })
}

const refusals: readonly (readonly [number, Parameters<typeof checkPolicyTerms>[0], string])[] = [
  [
    58,
    { condition: "wallet_account.path == 'x'" },
    'invalid policy condition: Expression cannot be evaluated: field does not exist: path (at 0:19)',
  ],
  [
    59,
    { condition: 'eth.tx.to == "0x1"' },
    'invalid policy condition: Expression cannot be evaluated: parse error: Invalid token at 13 (strings take single quotes)',
  ],
  [
    60,
    { consensus: '' },
    'invalid policy consensus: Expression cannot be evaluated: parse error: Unrecognized EOF found at 0',
  ],
  [
    63,
    { time: "time.now > Timestamp('2026-01-01T00:00:00-05:00')" },
    "invalid policy time: Expression cannot be evaluated: not an RFC 3339 time in UTC: '2026-01-01T00:00:00-05:00' (at 21:48)",
  ],
  [
    66,
    { time: "CronSpan('*/5 * * * *','1h','UTC')" },
    "invalid policy time: Expression cannot be evaluated: not a cron expression of five fields without steps: '*/5 * * * *' (at 9:22)",
  ],
  [
    66,
    { time: "CronSpan('5 * * * *','8d','UTC')" },
    "invalid policy time: Expression cannot be evaluated: not a duration of up to 7 days, such as 1d12h30m: '8d' (at 21:25)",
  ],
]

for (const [row, terms, message] of refusals) {
  test(`writing a policy as in row ${row} of the published table is refused: ${message}`, () => {
    assert.throws(() => checkPolicyTerms(terms, vocabulary), { name: 'Failure', code: 3, message })
  })
}

test('every row of the published table is decided here, or said to be decided elsewhere', () => {
  const here = new Set([...decisions.map(({ row }) => row), ...refusals.map(([row]) => row)])

  assert.deepEqual(
    [...here, ...ELSEWHERE].toSorted((a, b) => a - b),
    Array.from({ length: 70 }, (_, index) => index + 1),
  )
})
