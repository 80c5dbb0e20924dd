import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyVocabulary } from '../catalogue/vocabulary.ts'
import { lintPolicies } from '../policy/lint.ts'
import type { Finding, LintedPolicy } from '../policy/lint/finding.ts'
import { activities } from './list.ts'
import { abstractRequestsOf } from './abstract-requests.ts'

const vocabulary = policyVocabulary(activities)
const abstractRequests = abstractRequestsOf(activities)
const NOW = Date.UTC(2026, 2, 1)

type Terms = Omit<LintedPolicy, 'policyId' | 'effect'>

const allow = (condition?: string, more: Terms = {}): Unnamed => ({
  effect: 'EFFECT_ALLOW',
  condition,
  ...more,
})
const deny = (condition?: string, more: Terms = {}): Unnamed => ({
  effect: 'EFFECT_DENY',
  condition,
  ...more,
})
type Unnamed = Omit<LintedPolicy, 'policyId'>

function lint(policies: readonly Unnamed[], rawSigningGuard = false): readonly Finding[] {
  const named = policies.map((policy, at) => ({ policyId: `P${at + 1}`, ...policy }))
  return lintPolicies(named, { vocabulary, abstractRequests, now: NOW, rawSigningGuard })
}

/** `P1 danger rawAroundDeny P2`, and the text that it is about. */
function told(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ policyId, severity, what, place, others = [] }) =>
    [policyId, severity, what, ...others, ...(place === undefined ? [] : [`: ${place.text}`])].join(' '),
  )
}

function expect(policies: readonly Unnamed[], findings: readonly string[]): void {
  assert.deepEqual(told(lint(policies)), findings)
}

const SIGN = "activity.action == 'SIGN'"
const notTo = (address: string) => `eth.tx.to == '${address}'`
const byTwo = 'approvers.count() >= 2'
const bad = '0x00000000000000000000000000000000000000aa'

test('a sound set of policies has no findings', () => {
  expect(
    [
      allow("activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'W'", { policyName: 'Wallet W' }),
      allow("activity.kind == 'SIGN_TRANSACTION' && private_key.tags.contains('hot')"),
      allow("activity.kind == 'SIGN_RAW_PAYLOAD' && !payload.opaque && eth.eip_712.primary_type == 'Permit'"),
      allow("activity.resource == 'POLICY'", { consensus: byTwo }),
      allow("activity.resource == 'USER'", {
        consensus: "approvers.any(u, u.tags.contains('admin')) && approvers.count() >= 3",
      }),
      deny(notTo(bad)),
      deny("eth.tx.value > 1000 && wallet_account.address == '0x00000000000000000000000000000000000000AA'"),
      deny('payload.opaque'),
      deny("activity.params.type == 'TRANSACTION_TYPE_ETHEREUM' && eth.tx.chain_id != 1"),
      deny(`${SIGN}`, {
        time: "CronSpan('0 22 * * *', '8h', 'UTC')",
        consensus: "approvers.any(u, u.id == 'X')",
      }),
      allow("usage.count('1h', usage.user) <= 5 && activity.kind == 'SIGN_TRANSACTION'"),
    ],
    [],
  )
})

test('each ALLOW policy that lets raw bytes around a DENY policy on contents is named', () => {
  expect(
    [
      allow(SIGN),
      allow("wallet.id == 'W'"),
      allow("activity.resource == 'PRIVATE_KEY'", { consensus: byTwo }),
      allow("activity.params.encoding != 'PAYLOAD_ENCODING_EIP712'"),
      allow("activity.kind == 'SIGN_TRANSACTION'"),
      allow("activity.kind == 'SIGN_RAW_PAYLOAD' && eth.tx.value < 5"),
      allow("activity.params.encoding == 'PAYLOAD_ENCODING_EIP712'"),
      allow(`${SIGN} && !payload.opaque`),
      deny(notTo(bad)),
      deny("solana.tx.transfers.any(t, t.to == 'X')"),
      deny("activity.kind == 'EXPORT_WALLET'"),
    ],
    [
      'P1 danger rawAroundDeny P9 P10',
      'P2 danger rawAroundDeny P9 P10',
      'P3 danger rawAroundDeny P9 P10',
      'P4 danger rawAroundDeny P9 P10',
    ],
  )
})

test('raw bytes that are granted by name, or denied for certain, are no danger', () => {
  const contents = deny(notTo(bad))
  expect([allow("activity.kind == 'SIGN_RAW_PAYLOAD'"), contents], ['P1 note rawAroundDeny P2'])
  expect([allow(SIGN), contents, deny('payload.opaque')], [])
  expect([allow(SIGN), contents, deny("activity.kind in ['SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS']")], [])
  // Not certain: one kind of two, who approves, when, or for whom.
  for (const half of [
    deny("activity.kind == 'SIGN_RAW_PAYLOAD'"),
    deny('payload.opaque', { consensus: 'true' }),
    deny('payload.opaque', { time: "time.now > Timestamp('2020-01-01T00:00:00Z')" }),
    deny("payload.opaque && wallet.id == 'W'"),
  ])
    expect([allow(SIGN), contents, half], ['P1 danger rawAroundDeny P2'])
})

test('a rule about contents of one signer is not got around by bytes that another signs', () => {
  expect([allow("private_key.id == 'K'"), deny("wallet.id == 'W' && eth.tx.value > 5")], [])
  expect(
    [allow("wallet.id == 'W'"), deny("wallet.id == 'W' && eth.tx.value > 5")],
    ['P1 danger rawAroundDeny P2'],
  )
})

test('bytes that show a part of a transaction get around rules on the rest of it, and on nothing else', () => {
  const small = allow("activity.action == 'SIGN' && bitcoin.tx.outputs.all(o, o.value < 5)")
  const rest = deny("bitcoin.tx.outputs.any(o, o.address == 'X')")
  expect([small, rest], ['P1 danger rawAroundDeny P2'])
  expect([small, deny(notTo(bad))], [])
})

test('where raw signing has to be granted by name, only policies that do so are looked at', () => {
  const policies = [allow(SIGN), allow('payload.opaque'), deny(notTo(bad))]
  assert.deepEqual(told(lint(policies, true)), ['P2 note rawAroundDeny P3'])
})

test('an expression that the vocabulary does not have is found, with its place', () => {
  expect(
    [
      allow("eth.tx.too == 'x'"),
      allow(SIGN, { consensus: '' }),
      deny('activity.kind =='),
      deny(SIGN, { time: "CronSpan('0 0 * * *', '1h', 'Europe/Atlantis')" }),
      allow(SIGN, { time: '' }),
    ],
    [
      'P1 danger unreadable : eth.tx.too',
      'P2 danger unreadable : ',
      'P3 danger unreadable : ',
      "P4 danger unreadable : CronSpan('0 0 * * *', '1h', 'Europe/Atlantis')",
    ],
  )
})

test('a finding has the name of the policy beside its id, where the policy has one', () => {
  const [named, unnamed] = lint([allow(undefined, { policyName: 'All' }), allow()])
  assert.deepEqual([named?.policyId, named?.policyName], ['P1', 'All'])
  assert.ok(unnamed?.policyId === 'P2' && !('policyName' in unnamed))
})

test('an expression that cannot be read is told with its fault, and what the policy then does', () => {
  const whyOf = (policy: Unnamed) => lint([policy])[0]?.why
  const fault =
    'The condition cannot be read: Expression cannot be evaluated: keyword does not exist: gone (at 0:4).'
  assert.equal(whyOf(allow('gone')), `${fault} Stored so, the policy never allows.`)
  assert.equal(
    whyOf(deny('gone')),
    `${fault} Stored so, the policy denies every activity while it is active, with any approvers.`,
  )
  assert.match(
    whyOf(deny(SIGN, { consensus: 'gone' })) ?? '',
    / that its condition is true of while it is active, with any/,
  )
  assert.match(
    whyOf(deny(SIGN, { time: 'gone' })) ?? '',
    / denies every activity that its other parts are true of\.$/,
  )
})

test('an expression of too many parts is said to decide as ever where it is stored, and is judged like any other', () => {
  const condition = `1 in [${'1,'.repeat(5_000)}1] && wallet.id == 'A' && wallet.id == 'B'`
  const [first, ...others] = lint([allow(condition)])
  assert.match(first?.why ?? '', /parts, of 5000 at most: .* A stored one decides as ever\.$/)
  assert.deepEqual(
    others.map(({ what }) => what),
    ['contradiction'],
  )
})

test('an expression that is too long is found as a whole, for no place in it is wrong', () => {
  expect([deny(' '.repeat(16_385))], ['P1 danger unreadable'])
})

test('a bug in what reads a policy is not told as a mistake of its author', () => {
  const broken = Object.defineProperty({ ...vocabulary }, 'broken', {
    enumerable: true,
    get: () => assert.fail('a bug'),
  })
  assert.throws(
    () => lintPolicies([{ policyId: 'P', ...allow('broken') }], { vocabulary: broken, abstractRequests }),
    /a bug/,
  )
})

test('an ALLOW policy that asks for nothing is a danger', () => {
  expect([allow()], ['P1 danger allowsEverything'])
  expect([allow("true || activity.kind == 'X'", { consensus: 'true' })], ['P1 danger allowsEverything'])
  expect([allow("activity.action == 'EXPORT'", { consensus: byTwo }), deny()], [])
})

test('an ALLOW policy that asks for nothing is said to allow everything while it is active', () => {
  const [finding] = lint([allow(undefined, { time: "CronSpan('0 22 * * *', '8h', 'UTC')" })])
  assert.match(finding?.why ?? '', /^While it is active, it allows every user every activity/)
})

test('a login is said to wait only for users whom the consensus counts', () => {
  const [finding] = lint([allow("activity.kind == 'STAMP_LOGIN'", { consensus: byTwo })])
  assert.match(
    finding?.why ?? '',
    /: STAMP_LOGIN\. At a login or a recovery, only users whom the consensus counts wait\./,
  )
})

test('an ALLOW policy under which users wait with what is about their own credentials is noted, and what waits is named', () => {
  const findings = lint([
    allow("activity.resource == 'CREDENTIAL' && activity.action == 'CREATE'", { consensus: byTwo }),
    allow("activity.resource == 'CREDENTIAL'", { consensus: 'true' }),
    allow("activity.kind == 'CREATE_USERS'", { consensus: byTwo }),
    deny("activity.resource == 'CREDENTIAL'", { consensus: byTwo }),
  ])
  assert.deepEqual(told(findings), [`P1 note ownCredentialsWait : ${byTwo}`])
  assert.match(
    findings[0]?.why ?? '',
    /: CREATE_API_KEYS, CREATE_AUTHENTICATORS, CREATE_OAUTH_PROVIDERS, CREATE_WALLET_AUTHENTICATORS\. /,
  )
  assert.match(lint([allow(undefined, { consensus: byTwo })])[0]?.why ?? '', /RECOVER_USER, STAMP_LOGIN/)
})

test('a limit that counts what other policies allow is noted, and one that counts only its own is not', () => {
  const small = "activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'W' && eth.tx.value <= 5"
  const large = allow("activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'W'", { consensus: byTwo })
  const sum = "usage.sum(eth.tx.value, '24h', eth.tx.from)"
  const count = "usage.count('24h', wallet.id)"
  const noted = (usage: string) => [`P1 note limitCountsOthers P2 : ${usage}`]
  expect([allow(`${small} && ${sum} <= 20`), large], noted(sum))
  expect([allow(`${small} && ${count} <= 20`), large], noted(count))
  const [finding] = lint([allow(`${small} && ${count} <= 20`), large])
  assert.match(finding?.why ?? '', /`usage\.sum\(\[amount\]\.filter\(x, x <= 5\)\.count\(\), …\)`/)

  const ownSum = "usage.sum([eth.tx.value, 0].filter(v, v <= 5)[0], '24h', eth.tx.from)"
  const ownCount = "usage.sum([eth.tx.value].filter(v, v <= 5).count(), '24h', eth.tx.from)"
  for (const usage of [ownSum, ownCount]) expect([allow(`${small} && ${usage} <= 20`), large], [])
  const limited = allow(`${small} && ${sum} <= 20`)
  // Alone, beside what asks the same limit, is about something else, or denies.
  for (const other of [
    allow(`activity.kind == 'SIGN_TRANSACTION' && ${sum} <= 90`, { consensus: byTwo }),
    allow("activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'V'", { consensus: byTwo }),
    allow("activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'W'"),
    allow("activity.kind == 'CREATE_USERS'", { consensus: byTwo }),
    deny(`${sum} > 90`),
  ])
    expect([limited, other], [])
  expect([limited], [])
  expect([allow(`${small} && controls.daily`), large], [])
  // Requests on two chains count together in a limit by sender.
  const onChain = (chain: number) => `activity.kind == 'SIGN_TRANSACTION' && eth.tx.chain_id == ${chain}`
  expect([allow(`${onChain(1)} && ${sum} <= 20`), allow(onChain(10), { consensus: byTwo })], noted(sum))
  const byNothing = "usage.sum(eth.tx.value, '24h')"
  const elsewhere = allow("activity.kind == 'SIGN_TRANSACTION' && wallet.id == 'V'", { consensus: byTwo })
  expect([allow(`${small} && ${byNothing} <= 20`), elsewhere], noted(byNothing))
  const [from, to] = ["eth.tx.data[0..10] == '0x095ea7b3'", "eth.tx.data[10..12] == '00'"]
  const sliced = allow(`activity.kind == 'SIGN_TRANSACTION' && ${to}`, { consensus: byTwo })
  expect([allow(`${small} && ${from} && ${sum} <= 20`), sliced], noted(sum))
  const notV = `activity.kind == 'SIGN_TRANSACTION' && wallet.id != 'V' && ${sum} <= 20`
  expect([allow(notV), large], noted(sum))
  const anything = allow(undefined, { consensus: byTwo })
  expect([limited, anything], [...noted(sum), `P2 note ownCredentialsWait : ${byTwo}`])
})

test('a limit counts what another policy allows, unless what tells their requests apart is counted by', () => {
  const pays = (part: string) => `activity.kind == 'SIGN_TRANSACTION' && ${part}`
  const [toA, toB] = ["eth.tx.to == '0xaa'", "eth.tx.to == '0xbb'"]
  const [ofW, ofV] = ["wallet.id == 'W'", "wallet.id == 'V'"]
  const sum = (...by: readonly string[]) => `usage.sum(${['eth.tx.value', "'24h'", ...by].join(', ')})`
  const policies = (own: string, usage: string, its: string) => [
    allow(pays(`${own} && ${usage} <= 20`)),
    allow(pays(its), { consensus: byTwo }),
  ]
  for (const [own, usage, its] of [
    [toA, sum('eth.tx.from'), toB],
    [ofW, sum('usage.user'), ofV],
    [ofW, sum('eth.tx.to'), ofV],
    [toA, sum('eth.tx.to'), "eth.tx.to == '0xAA'"],
    ["wallet.id in ['W', 'X']", sum('wallet.id'), "wallet.id in ['V', 'X']"],
  ] as const)
    expect(policies(own, usage, its), [`P1 note limitCountsOthers P2 : ${usage}`])
  for (const [own, usage, its] of [
    [toA, sum('eth.tx.to'), toB],
    [toA, sum('usage.user', 'eth.tx.to'), toB],
    [ofW, sum('wallet.id'), ofV],
    [ofW, sum('wallet_account.address'), ofV],
    [ofW, sum('eth.tx.from'), ofV],
    ["eth.tx.from == '0xaa'", sum('wallet.id'), "eth.tx.from == '0xbb'"],
  ] as const)
    expect(policies(own, usage, its), [])
})

test('a rule on `activity.type` is told which kind to use', () => {
  const findings = lint([
    allow("activity.type == 'ACTIVITY_TYPE_INIT_OTP_V3'"),
    allow("activity.type in ['ACTIVITY_TYPE_CREATE_USERS_V2', 'ACTIVITY_TYPE_CREATE_USERS_V3']"),
  ])
  assert.deepEqual(told(findings), [
    "P1 warning activityType : activity.type == 'ACTIVITY_TYPE_INIT_OTP_V3'",
    "P2 warning activityType : activity.type in ['ACTIVITY_TYPE_CREATE_USERS_V2', 'ACTIVITY_TYPE_CREATE_USERS_V3']",
  ])
  assert.match(findings[0]?.why ?? '', /activity\.kind == 'INIT_OTP'/)
  assert.match(findings[1]?.why ?? '', /activity\.kind == 'CREATE_USERS'/)
  assert.match(
    lint([deny("activity.type != 'ACTIVITY_TYPE_CREATE_USERS_V3'")])[0]?.why ?? '',
    /activity\.kind != '/,
  )
  // It names no version here.
  expect([deny('activity.type == activity.organization_id')], [])
})

test('alternatives that never come together are found', () => {
  const found = lint([allow("wallet.id == 'W1' || private_key.id == 'K1'")])
  assert.deepEqual(told(found), ["P1 warning neverTogether : wallet.id == 'W1' || private_key.id == 'K1'"])
  assert.match(found[0]?.why ?? '', /`private_key\.id == 'K1'` has no value/)
  expect(
    [
      allow("activity.kind == 'CREATE_WALLET' || wallet.id == 'W1'"),
      deny('!(eth.tx.value < 5 || solana.tx.transfers.count() < 5)'),
      allow(`${SIGN} && (wallet.id == 'W1' || wallet.id == 'W2')`),
    ],
    [
      "P1 warning neverTogether : activity.kind == 'CREATE_WALLET' || wallet.id == 'W1'",
      'P2 warning neverTogether : eth.tx.value < 5 || solana.tx.transfers.count() < 5',
    ],
  )
})

test('what alternatives that never come together do is said truly of a DENY policy, which denies where it fails', () => {
  const condition =
    "activity.kind == 'SIGN_TRANSACTION' && (wallet.id == 'W1' || private_key.label[0..3] == 'hot')"
  const said = (policy: Unnamed) => lint([policy]).find(({ what }) => what === 'neverTogether')?.why ?? ''
  assert.match(said(allow(condition)), / There the policy allows nothing\. Write a policy for each\.$/)
  assert.match(
    said(deny(condition)),
    / There the policy denies only where another part fails\. Write a policy/,
  )
})

test('of three alternatives, one that has no value in one kind of request is not said to have none in another', () => {
  const three = "eth.tx.to == '0xA' || wallet.id == 'W' || private_key.id == 'K'"
  const [finding] = lint([allow(three)])
  assert.match(finding?.why ?? '', /another part has no value, and so the whole has none/)
  assert.match(finding?.why ?? '', / `wallet\.id == 'W'` has no value in SIGN_\w+ .* with a private key\./)
})

test('the address of an account is expected in the case in which it is stored', () => {
  const stored = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const findings = lint([
    allow(`activity.kind == 'SIGN_TRANSACTION' && wallet_account.address == '${stored.toLowerCase()}'`),
    allow(
      `activity.kind == 'SIGN_TRANSACTION' && wallet_account.address in ['${stored}', '${stored.toUpperCase().replace('X', 'x')}']`,
    ),
    allow(`activity.kind == 'SIGN_TRANSACTION' && eth.tx.to == '${stored.toLowerCase()}'`),
  ])
  assert.deepEqual(told(findings), [
    `P1 warning addressCase : '${stored.toLowerCase()}'`,
    `P2 warning addressCase : '${stored.toUpperCase().replace('X', 'x')}'`,
  ])
  assert.ok(findings[0]?.why.includes(stored))
})

test('a text in upper case is never equal to one that was put in lower case', () => {
  expect(
    [
      allow("CaseInsensitiveString(wallet.label) == 'Treasury' && activity.kind == 'EXPORT_WALLET'"),
      allow(
        "CaseInsensitiveString(wallet.label) == CaseInsensitiveString('Treasury') && activity.kind == 'EXPORT_WALLET'",
      ),
      allow("CaseInsensitiveString(eth.tx.to) == '0xAB' && activity.kind == 'SIGN_TRANSACTION'"),
    ],
    ["P1 warning textCase : 'Treasury'"],
  )
})

test('a condition that nothing can meet is found, at the part that nothing meets', () => {
  expect(
    [
      allow("activity.kind == 'SIGN_TRANSACTIONS' && wallet.id == 'W'"),
      deny("activity.kind == 'SET_ORGANIZATION_FEATURE'"),
      allow("activity.kind == 'SIGN_TRANSACTION' && wallet_account.path_indexes.count() == 5"),
      deny("activity.resource == 'WALLET' && activity.action == 'SIGN'"),
      deny("activity.params.user_id == 'U' && wallet.id == 'W'"),
      deny('false'),
    ],
    [
      "P1 warning neverTrue : activity.kind == 'SIGN_TRANSACTIONS'",
      "P2 warning neverTrue : activity.kind == 'SET_ORGANIZATION_FEATURE'",
      "P3 warning neverTrue : activity.kind == 'SIGN_TRANSACTION' && wallet_account.path_indexes.count() == 5",
      "P4 warning neverTrue : activity.resource == 'WALLET' && activity.action == 'SIGN'",
      "P5 warning neverTrue : activity.params.user_id == 'U' && wallet.id == 'W'",
      'P6 warning neverTrue : false',
    ],
  )
})

test('a condition that nothing can meet is told with the reason: one part, or all together', () => {
  const whyOf = (condition: string): string => lint([deny(condition)])[0]?.why ?? ''
  const denies = 'The policy denies nothing, except where its condition fails'
  const unmet = `${denies}: it is true of no activity that policies decide about.`
  assert.equal(whyOf("activity.kind == 'SIGN_TRANSACTIONS'"), unmet)
  assert.equal(whyOf("activity.kind == 'SIGN_TRANSACTIONS' && wallet.id == 'W'"), unmet)
  assert.equal(
    whyOf("activity.resource == 'WALLET' && activity.action == 'SIGN'"),
    `${denies}: no activity has all that it names.`,
  )
})

test('what a condition that nothing can meet does is said truly of a policy that fails', () => {
  // The kind does not exist, and ten bytes of the data of a plain payment are out of range.
  const condition = "activity.kind == 'SIGN_TRANSACTON' && eth.tx.data[0..10] == '0x095ea7b3'"
  assert.match(
    lint([deny(condition)])[0]?.why ?? '',
    /^The policy denies nothing, except where its condition fails: /,
  )
  assert.match(lint([allow(condition)])[0]?.why ?? '', /^The policy never allows: /)
})

test('a condition that contradicts itself is not said to be never true besides; one beside such a consensus is', () => {
  const never = "activity.kind == 'CREATE_WALLET' && activity.kind == 'EXPORT_WALLET'"
  expect([deny(never)], [`P1 warning contradiction : ${never}`])
  const consensus = "approvers.any(u, u.id == 'A' && u.id == 'B')"
  expect(
    [deny("activity.kind == 'NONE'", { consensus })],
    [
      "P1 warning contradiction : u.id == 'A' && u.id == 'B'",
      "P1 warning neverTrue : activity.kind == 'NONE'",
    ],
  )
})

test('of two policies that say the same, a change of one is not said to change nothing', () => {
  const [finding] = lint([deny(SIGN), deny(SIGN)])
  assert.match(finding?.why ?? '', /: to remove or narrow only one of them changes nothing\.$/)
})

test('parts that contradict each other are found', () => {
  const about = (part: string) => allow(`activity.kind == 'SIGN_TRANSACTION' && ${part}`)
  for (const part of [
    "wallet.id == 'A' && wallet.id == 'B'",
    "wallet.id in ['A', 'B'] && 'C' == wallet.id",
    "wallet.id == 'A' && wallet.id != 'A'",
    'eth.tx.value > 5 && eth.tx.value < 6',
    'eth.tx.value == 5 && 7 < eth.tx.value',
  ])
    expect([about(part)], [`P1 warning contradiction : activity.kind == 'SIGN_TRANSACTION' && ${part}`])
  for (const part of [
    "eth.tx.to == '0xA' && eth.tx.to == '0xa'",
    "wallet.id in ['A', 'B'] && wallet.id in ['B', 'C']",
    'eth.tx.value >= 5 && eth.tx.value <= 5',
    "wallet.id != 'A' && wallet.id != 'B'",
    // Of two things that are compared with each other nothing is demanded of either.
    'eth.tx.to == eth.tx.from && eth.tx.to != eth.tx.data',
  ])
    expect([about(part)], [])
  expect(
    [allow(SIGN, { consensus: "approvers.any(u, u.id == 'A' && u.id == 'B')" })],
    ["P1 warning contradiction : u.id == 'A' && u.id == 'B'"],
  )
})

test('a value of typed data that would have to be a number and something else is found', () => {
  const value = "eth.eip_712.message['value']"
  const found = (parts: string) => lint([deny(`activity.kind == 'SIGN_RAW_PAYLOAD' && ${parts}`)])
  for (const parts of [
    `${value} == 'a' && ${value} > 5`,
    `${value} == '9' && 5 < ${value}`,
    `${value} == true && ${value} <= 5`,
    `${value} == 'a' && ${value} == 5`,
  ]) {
    const [finding] = found(parts)
    assert.equal(finding?.what, 'contradiction', parts)
    // Of a value of the other kind such a comparison fails, and a DENY policy that fails denies: it is not false.
    assert.equal(finding?.why, `No \`${value}\` can be all of this at once, and so it is never true.`)
  }
  assert.deepEqual(found(`${value} in [4, 9] && ${value} > 5`), [])
})

test('a time that never comes, or is over, is found', () => {
  expect(
    [
      allow(SIGN, { time: "CronSpan('0 0 31 2 *', '1h', 'UTC')" }),
      allow(SIGN, { time: "time.now < Timestamp('2026-02-01T00:00:00Z')", consensus: byTwo }),
      allow("activity.kind == 'SIGN_TRANSACTION'", { time: "CronSpan('0 0 29 2 *', '1h', 'UTC')" }),
      allow("activity.kind == 'SIGN_TRANSACTION'", { time: "time.now < Timestamp('2026-04-01T00:00:00Z')" }),
      deny(SIGN, { time: "Timestamp('2026-02-01T00:00:00Z') > time.now" }),
      deny(SIGN, {
        time: "time.now > Timestamp('2026-05-01T00:00:00Z') && time.now < Timestamp('2026-04-01T00:00:00Z')",
      }),
    ],
    [
      "P1 warning neverActive : CronSpan('0 0 31 2 *', '1h', 'UTC')",
      "P2 warning neverActive : time.now < Timestamp('2026-02-01T00:00:00Z')",
      "P5 warning neverActive : Timestamp('2026-02-01T00:00:00Z') > time.now",
      "P6 warning contradiction : time.now > Timestamp('2026-05-01T00:00:00Z') && time.now < Timestamp('2026-04-01T00:00:00Z')",
    ],
  )
})

test('a finding about the time of a policy says whether it never comes or is over', () => {
  const whyOf = (time: string) => lint([deny(SIGN, { time })])[0]?.why
  assert.equal(
    whyOf("CronSpan('0 0 31 2 *', '1h', 'UTC')"),
    'No calendar has the day on which it would begin.',
  )
  assert.equal(
    whyOf("time.now < Timestamp('2026-02-01T00:00:00Z')"),
    'That time is over: the policy never does anything again.',
  )
})

test('a time that never comes is found in every part of a time, but not where the policy is active without it', () => {
  const never = "CronSpan('0 0 31 2 *', '1h', 'UTC')"
  const nights = "CronSpan('0 22 * * *', '8h', 'UTC')"
  for (const time of [`${never} || ${nights}`, `${nights} && (${nights} || ${never})`])
    expect([deny(SIGN, { time })], [`P1 warning neverActive : ${never}`])
  for (const time of [`!${never}`, `${nights} && !(${never} || ${nights})`])
    expect([deny(SIGN, { time })], [])
})

test('a time that is now, or still comes, is not over', () => {
  const now = "Timestamp('2026-03-01T00:00:00Z')"
  const later = "Timestamp('2026-04-01T00:00:00Z')"
  for (const time of [
    `time.now <= ${now}`,
    `${now} >= time.now`,
    `${later} > time.now`,
    `time.now == ${later}`,
    `${later} == time.now`,
    `Timestamp('2026-02-01T00:00:00Z') != time.now`,
    `time.now > ${now}`,
  ])
    expect([deny(SIGN, { time })], [])
})

test('a policy that says the same as another is found, whatever the order of its parts', () => {
  expect(
    [
      allow("activity.kind == 'EXPORT_WALLET' && wallet.id == 'W'", { consensus: byTwo }),
      allow("wallet.id  ==  'W'  &&  (activity.kind == 'EXPORT_WALLET')", {
        consensus: `(${byTwo})`,
        time: '',
      }),
      allow("activity.kind == 'EXPORT_WALLET' && wallet.id == 'W'"),
      deny("activity.kind == 'EXPORT_WALLET' && wallet.id == 'W'", { consensus: byTwo }),
    ],
    ['P2 warning duplicate P1'],
  )
  const not = (parts: string) => deny(`${SIGN} && !(${parts})`)
  expect(
    [not("eth.tx.to == 'x' || eth.tx.value > 1"), not("eth.tx.value > 1 || eth.tx.to == 'x'")].map(
      (policy) => ({
        ...policy,
        effect: 'EFFECT_ALLOW',
      }),
    ),
    ['P2 warning duplicate P1'],
  )
})

test('two policies with different controls do not say the same, and a control contradicts no limit', () => {
  expect([allow(`${SIGN} && controls.daily`), allow(`${SIGN} && controls.weekly`)], [])
  expect([allow(`${SIGN} && controls.daily && usage.count('1h') > 1`)], [])
  expect(
    [allow(`${SIGN} && controls.daily`), allow(`controls.daily && ${SIGN}`)],
    ['P2 warning duplicate P1'],
  )
})

test('a DENY policy that is skipped where it looks as if it denied is found', () => {
  expect(
    [
      deny("eth.tx.to != '0xA'"),
      deny("activity.kind == 'SIGN_TRANSACTION' && !(eth.tx.to in ['0xA'])"),
      deny("!private_key.tags.contains('hot')"),
      deny("private_key.id == 'K'"),
      deny("activity.kind == 'EXPORT_WALLET' && wallet.label != 'hot'"),
      deny("activity.params.type == 'TRANSACTION_TYPE_ETHEREUM' && eth.tx.to != '0xA'"),
      deny("eth.tx.to != '0xA' || eth.tx.value > 5"),
    ],
    [
      "P1 warning denySkipped : eth.tx.to != '0xA'",
      "P2 warning denySkipped : activity.kind == 'SIGN_TRANSACTION' && !(eth.tx.to in ['0xA'])",
      "P3 warning denySkipped : !private_key.tags.contains('hot')",
      "P7 warning denySkipped : eth.tx.to != '0xA' || eth.tx.value > 5",
    ],
  )
})

test('a DENY policy that is skipped is not said to deny nothing, for it denies where another part fails', () => {
  // A label of two characters is too short for the slice, and a DENY policy that fails denies.
  const whysOf = (condition: string) => lint([deny(condition)]).map(({ why }) => why)
  for (const condition of [
    "eth.tx.to != '0xA' && wallet.label[0..3] != 'hot'",
    "eth.tx.function_name == 'approve' && wallet.label[0..3] == 'hot'",
  ]) {
    const whys = whysOf(condition)
    assert.ok(whys.length > 0, condition)
    for (const why of whys)
      assert.match(why, /the policy is skipped: it denies only where another part of its condition fails\./)
  }
})

test('of the requests that skip a DENY policy three are named, and that there are more', () => {
  const untagged = "!private_key.tags.contains('hot')"
  const named = (condition: string) =>
    /\((.*?)\)/.exec(lint([deny(condition)])[0]?.why ?? '')?.[1]?.split('; ')
  const of = (chains: readonly string[]) =>
    chains.map((chain) => `SIGN_TRANSACTION of ${chain} with a wallet account`)
  const types = (...chains: readonly string[]) =>
    `activity.kind == 'SIGN_TRANSACTION' && !(activity.params.type in [${chains.map((chain) => `'TRANSACTION_TYPE_${chain}'`).join(', ')}])`
  const three = named(`${types('ETHEREUM', 'SOLANA')} && ${untagged}`)
  assert.deepEqual(three, of(['TRON', 'BITCOIN', 'TEMPO']))
  assert.deepEqual(named(`${types('ETHEREUM')} && ${untagged}`), [...of(['SOLANA', 'TRON', 'BITCOIN']), '…'])
})

test('a DENY policy on what a request may lack is found', () => {
  const findings = lint([
    deny("eth.tx.function_name == 'approve'"),
    deny('eth.tx.max_fee_per_gas > 100'),
    deny("eth.tx.data[0..10] == '0x095ea7b3' && eth.tx.gas_price > 100"),
    allow("eth.tx.function_name == 'transfer'"),
  ])
  assert.deepEqual(told(findings), [
    'P1 warning denyMayBeSkipped : eth.tx.function_name',
    'P2 warning denyMayBeSkipped : eth.tx.max_fee_per_gas',
  ])
  assert.match(findings[0]?.why ?? '', /no interface of the contract/)
})
