import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costs } from '../base/costs.ts'
import { checkPolicyTerms, checkSteps, compilePolicy, compileSteps } from './compile-policy.ts'
import { noControls } from './controls.ts'
import { budgetsFor, decidePolicies, decisionSteps, type PolicyAnswer } from './decide.ts'
import { eligibleVoters, eligibleVoterSteps } from './eligible-voters.ts'
import type { Approval } from './people.ts'
import { decisionBudget } from './run.ts'
import { decideAtRandom } from './testing/differential.ts'
import {
  A,
  activity,
  allow,
  anyA,
  anyB,
  B,
  C,
  D,
  decide as decideWith,
  deny,
  everyone,
  NOW,
  person,
  type Rule,
  SIGN,
  told,
  twoOps,
  withPasskey,
} from './testing/members.ts'
import { bool, type Facts, list, string, struct, type Vocabulary } from './types.ts'

const vocabulary: Vocabulary = {
  activity: struct({
    type: string,
    kind: string,
    resource: string,
    action: string,
    params: struct({ user_id: string, user_ids: list(string), encoding: string, hash_function: string }),
  }),
  wallet: struct({ id: string }),
  private_key: struct({ id: string, label: string, tags: list(string), imported: bool, exported: bool }),
}

const signs = activity('SIGN_RAW_PAYLOAD', 'PRIVATE_KEY', 'SIGN', {
  encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
  hash_function: 'HASH_FUNCTION_NO_OP',
})

const deletes = (ids: readonly string[]): Facts =>
  activity('DELETE_USERS', 'USER', 'DELETE', { user_ids: ids })

/** What it is about, policies, facts, approvals (the last of them is the voter), and what comes of it. */
const rows: readonly (readonly [string, readonly Rule[], Facts, readonly Approval[], string])[] = [
  // Ours: a DENY policy that fails denies, unless it is about something that this activity does not have.
  [
    'deny out of range',
    [allow('true'), deny("activity.params.user_ids[1] == 'B'")],
    deletes(['A']),
    [A],
    'deny ALLOW DENY_EXPLICIT',
  ],
  ['allow out of range', [allow("activity.params.user_ids[1] == 'B'")], deletes(['A']), [A], 'none ERROR'],
  [
    'deny of a field that no longer exists',
    [allow(), deny("wallet.path == 'x'")],
    signs,
    [A],
    'deny ALLOW DENY_EXPLICIT',
  ],
  ['allow of a field that no longer exists', [allow("wallet.path == 'x'")], signs, [A], 'none ERROR'],
  [
    'deny with a consensus that fails',
    [allow(), deny(SIGN, "approvers[1].id == 'B'")],
    signs,
    [A],
    'deny ALLOW DENY_EXPLICIT',
  ],
  [
    'deny with a consensus that would fail, about something else',
    [allow(), deny('false', "approvers[1].id == 'B'")],
    signs,
    [A],
    'allow ALLOW DENY_IMPLICIT',
  ],
  ['deny, consensus true', [allow(), deny(SIGN, anyA)], signs, [A], 'deny ALLOW DENY_EXPLICIT'],
  ['deny, consensus false', [allow(), deny(SIGN, anyB)], signs, [A], 'allow ALLOW DENY_IMPLICIT'],
  ['deny waits for nobody', [deny(SIGN, `${anyA} && ${anyB}`)], signs, [A], 'none DENY_IMPLICIT'],
  [
    'deny over waiting',
    [allow(SIGN, `${anyA} && ${anyB}`), deny(SIGN)],
    signs,
    [A],
    'deny REQUIRES_CONSENSUS DENY_EXPLICIT',
  ],
  [
    'allow over waiting',
    [allow(SIGN, `${anyA} && ${anyB}`), allow()],
    signs,
    [A],
    'allow REQUIRES_CONSENSUS ALLOW',
  ],
]

for (const [row, rules, facts, approvals, expected] of rows) {
  test(`${row} comes to ${expected}`, () => {
    assert.equal(told(decide(rules, facts, approvals)), expected)
  })
}

const onlyB = "approvers.filter(u, u.id == 'B')"
/** Everybody as long as there are two of them, and nobody before and after. */
const whileTwo = 'approvers.filter(u, approvers.count() == 2)'
const onceAll = 'approvers.filter(u, approvers.count() == 5)'

/** A consensus, those who approved (the last is the voter), what the policy says, and whose vote is then asked for. */
const consensuses: readonly (readonly [string, readonly Approval[], string, readonly string[]])[] = [
  ['approvers.count() >= 2', [D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  ['approvers.count() == 2', [D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  ['2 == approvers.count()', [D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  ['approvers.count() in [3, 4]', [D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  ['2 <= approvers.count', [D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  ['approvers.count() > 5', [D], 'DENY_IMPLICIT', []],
  ['approvers.count() >= 2', [D, D], 'REQUIRES_CONSENSUS', ['R', 'A', 'B', 'C']],
  // More people make its second part false again, so only some moment between can make it true.
  [`${anyA} && approvers.any(u, approvers.count() == 2)`, [A], 'REQUIRES_CONSENSUS', []],
  [twoOps, [A], 'REQUIRES_CONSENSUS', ['B']],
  [twoOps, [C], 'DENY_IMPLICIT', ['A', 'B']],
  [twoOps, [A, C], 'DENY_IMPLICIT', ['B']],
  [`${twoOps} && ${anyA}`, [B], 'REQUIRES_CONSENSUS', ['A']],
  [`${twoOps} && approvers.all(u, u.tags.contains('ops'))`, [A], 'REQUIRES_CONSENSUS', ['B']],
  // The approval of anyone else would make a part false for good.
  ["approvers.all(u, u.tags.contains('ops')) && approvers.count() >= 2", [A], 'REQUIRES_CONSENSUS', ['B']],
  ["!approvers.any(u, u.id == 'D') && approvers.count() >= 2", [A], 'REQUIRES_CONSENSUS', ['R', 'B', 'C']],
  [`${anyA} && ${anyB}`, [B], 'REQUIRES_CONSENSUS', ['A']],
  [`${anyA} && approvers.any(u, u.id == 'Z')`, [A], 'DENY_IMPLICIT', []],
  [`${anyA} && false`, [A], 'DENY_IMPLICIT', []],
  [
    `(${anyA} && ${anyB}) || (${twoOps} && approvers.any(u, u.id == 'C'))`,
    [C],
    'REQUIRES_CONSENSUS',
    ['A', 'B'],
  ],
  [`!approvers.any(u, u.id == 'D') && ${anyB}`, [A], 'DENY_IMPLICIT', ['B']],
  [`!approvers.any(u, u.id == 'D') && ${anyA} && ${anyB}`, [A], 'REQUIRES_CONSENSUS', ['B']],
  [`!approvers.any(u, u.id == 'A') && ${anyB} && approvers.count() > 1`, [A], 'DENY_IMPLICIT', []],
  [
    `approvers.filter(u, u.tags.contains('sec')).all(u, u.id != 'Z') && ${anyB}`,
    [A],
    'DENY_IMPLICIT',
    ['B', 'C'],
  ],
  [
    `credentials.filter(c, c.type == 'CREDENTIAL_TYPE_API_KEY_P256').count() == 2`,
    [A],
    'REQUIRES_CONSENSUS',
    ['R', 'B', 'C', 'D'],
  ],
  [`credentials.any(c, c.credential_id == 'passkey of B') && ${anyA}`, [A], 'REQUIRES_CONSENSUS', ['B']],
  [`${anyB} && ['x'].all(approver, approver == 'x')`, [A], 'DENY_IMPLICIT', ['B']],
  [`(${anyA} && ${anyB}) || approvers.any(u, u.id == 'Z')`, [A], 'REQUIRES_CONSENSUS', ['B']],
  // Not a list that is counted: the part counts the user who makes it true.
  [`approvers[0].id == 'A' && ${anyB}`, [A], 'REQUIRES_CONSENSUS', ['B']],
  // A list of something else counts nobody.
  ["approvers.filter(u, u.id == 'B').count() == ['x'].count()", [A], 'DENY_IMPLICIT', ['B']],
  // More people make these false again, and a moment between makes them true.
  [`${anyA} && ${whileTwo}.count() > 0`, [A], 'REQUIRES_CONSENSUS', []],
  [`${anyA} && 0 < ${whileTwo}.count()`, [A], 'REQUIRES_CONSENSUS', []],
  [`${anyA} && ${whileTwo}.any(u, true)`, [A], 'REQUIRES_CONSENSUS', []],
  [`${anyA} && ${whileTwo}.filter(u, u.id != 'Z').count() > 0`, [A], 'REQUIRES_CONSENSUS', []],
  [`${anyA} && ${onlyB}.count() > ${onceAll}.count()`, [A], 'REQUIRES_CONSENSUS', ['B']],
  [`${anyA} && ${onceAll}.count() < ${onlyB}.count()`, [A], 'REQUIRES_CONSENSUS', ['B']],
]

for (const [consensus, approvals, outcome, voters] of consensuses) {
  const names = approvals.map(({ user }) => user.id).join(', ')
  test(`with approvals of ${names}, ${consensus} comes to ${outcome}`, () => {
    const answer = decide([allow(SIGN, consensus)], signs, approvals)

    assert.equal(answer.evaluations[0]?.outcome, `OUTCOME_${outcome}`)
    assert.deepEqual(eligible([allow(SIGN, consensus)], signs, approvals), voters)
  })
}

test('nobody is asked to vote for a policy that denies, asks nobody, is content, cannot be read or is about something else', () => {
  for (const rule of [
    deny(SIGN, anyB),
    allow(SIGN),
    allow(SIGN, 'approvers.count() > 0'),
    allow(SIGN, "approvers[1].id == 'B'"),
    allow("activity.action == 'EXPORT'", anyB),
    allow("wallet.id == 'W'", anyB),
  ])
    assert.deepEqual(eligible([rule], signs, [A]), [], `${rule.condition} ${rule.consensus}`)
  assert.deepEqual(eligible([allow(undefined, anyB)], signs, [A]), ['B'])
})

test('nobody is asked to vote whose approval a policy would deny', () => {
  const asks = allow(SIGN, 'approvers.count() >= 2')
  const time = "time.now >= Timestamp('2100-01-01T00:00:00Z')"
  for (const [rule, voters] of [
    [deny(SIGN, anyB), ['R', 'C', 'D']],
    [deny(undefined, `!approvers.all(u, u.id != 'B')`), ['R', 'C', 'D']],
    [deny(SIGN, `${anyB} && ${anyA}`), ['R', 'C', 'D']],
    [deny(SIGN, "approvers.filter(u, u.id in ['B', 'C']).count() > 1"), ['R', 'B', 'C', 'D']],
    [deny("activity.action == 'EXPORT'", anyB), ['R', 'B', 'C', 'D']],
    [{ ...deny(SIGN, anyB), time }, ['R', 'B', 'C', 'D']],
    // A user approves with one of several credentials.
    [deny(SIGN, `credentials.all(c, c.user_id != 'Z') && ${anyB}`), ['R', 'B', 'C', 'D']],
  ] as const)
    assert.deepEqual(eligible([asks, rule], signs, [A]), voters, `${rule.condition} ${rule.consensus}`)
})

test('a policy costs the steps that it takes, and no more for those before it', () => {
  const rule = allow(SIGN, twoOps)
  const policies = [0, 1, 2].map((at) => compilePolicy({ policyId: `${at}`, ...rule }, vocabulary))
  const budgets = budgetsFor(1)
  const question = { policies, facts: signs, approvals: [A], voter: A, everyone, now: NOW, budgets }

  const yielded = [...decisionSteps(question)]
  const waiting = [...eligibleVoterSteps([question])]

  const left = budgets.budget.steps + budgets.waitingBudget.steps
  const spent = 2 * decisionBudget().steps - left
  const each = costs.policy + (spent / 3) * costs.expressionStep
  const policy = yielded.slice(0, yielded.length / 3)
  assert.deepEqual(yielded, [...policy, ...policy, ...policy])
  assert.ok(Math.abs(sum(policy) - each) < 0.001, `${sum(policy)} instead of ${each}`)
  // Each policy, and then each of them for each voter, begins with a step of this cost.
  const begins = waiting.flatMap((cost, at) => (cost === costs.policy ? [at] : []))
  const asked = begins.map((begin, at) => waiting.slice(begin, begins[at + 1]))
  assert.equal(begins[0], 0)
  assert.deepEqual(asked.slice(0, 3), [asked[0], asked[0], asked[0]])
  assert.ok(asked.length > 3 + everyone.length - 1)
  for (const steps of asked)
    assert.ok(sum(steps) > costs.policy && sum(steps) < 2 * each, `${sum(steps)} beside ${each}`)
})

function sum(costsOfSteps: readonly number[]): number {
  return costsOfSteps.reduce((total, cost) => total + cost, 0)
}

test('a consensus that all of them together meet, or that more people only help, is not judged by each moment', () => {
  const people = Array.from({ length: 300 }, (_, at) => person(`P${at}`, []))
  const all = 'approvers.filter(u, u.tags.count() < 2).count() == 301'
  for (const consensus of [all, twoOps, '1 < approvers.filter(u, u.tags.count() > 0).count()']) {
    const budgets = budgetsFor(1)
    const policies = [compilePolicy({ policyId: 'P', ...allow(SIGN, consensus) }, vocabulary)]

    decidePolicies({ policies, facts: signs, approvals: [A], voter: A, everyone: people, now: NOW, budgets })

    const steps = decisionBudget().steps - budgets.waitingBudget.steps
    assert.ok(steps > 0 && steps < 20 * people.length, `${steps} steps`)
  }
})

test('a user who has a credential that a policy takes is asked, whatever other credentials the user has', () => {
  const passkeys =
    "credentials.filter(c, c.user_id != 'A').all(c, c.type == 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR')"
  const noKeys = "!credentials.any(c, c.user_id != 'A' && c.type == 'CREDENTIAL_TYPE_API_KEY_P256')"
  for (const consensus of [passkeys, noKeys])
    assert.deepEqual(eligible([allow(SIGN, `${consensus} && approvers.count() >= 2`)], signs, [A]), [
      'R',
      'B',
      'C',
      'D',
    ])
})

test('an eligible voter is never turned away', () => {
  for (const [consensus, approvals] of consensuses) {
    const rules = [allow(SIGN, consensus)]
    for (const id of eligible(rules, signs, approvals)) {
      const voter = everyone.find(({ user }) => user.id === id)
      assert.ok(voter)
      assert.notEqual(
        decide(rules, signs, [...approvals, withPasskey(voter)]).decision,
        'none',
        `${id}: ${consensus}`,
      )
    }
  }
})

test('expensive policies end at the bound of a decision, and then deny', () => {
  const people = Array.from({ length: 100 }, (_, at) => person(`P${at}`, []))
  const expensive = 'approvers.any(a, approvers.all(b, approvers.any(c, a.id == b.id && b.id == c.id)))'
  const terms = { effect: 'EFFECT_ALLOW' as const, consensus: expensive }
  const costly = Array.from({ length: 99 }, (_, at) =>
    compilePolicy({ policyId: `${at}`, ...terms }, vocabulary),
  )
  const last = compilePolicy({ policyId: 'last', effect: 'EFFECT_DENY', condition: 'false' }, vocabulary)
  const waits = compilePolicy(
    { policyId: 'w', effect: 'EFFECT_ALLOW', consensus: `${expensive} == false && false` },
    vocabulary,
  )
  const budgets = { all: budgetsFor(1), one: budgetsFor(1) }

  const all = decidePolicies({
    policies: [...costly, last],
    facts: {},
    approvals: people,
    voter: A,
    everyone: people,
    now: NOW,
    budgets: budgets.all,
  })
  const policyAnswer = decidePolicies({
    policies: [...costly, waits],
    facts: {},
    approvals: [A],
    voter: A,
    everyone: people,
    now: NOW,
    budgets: budgets.one,
  })

  assert.deepEqual(all.deniedBy, ['last'])
  assert.notEqual(policyAnswer.decision, 'deny')
  assert.equal(budgets.all.budget.steps, 0)
  assert.ok(budgets.one.budget.steps > 0 && budgets.one.waitingBudget.steps > 0)
})

const fromMarch = "time.now >= Timestamp('2026-03-01T00:00:00Z')"
const neverOn = "time.now < Timestamp('2026-01-01T00:00:00Z')"
const FEBRUARY = Date.UTC(2026, 1, 28, 23, 59, 59, 999)
const MARCH = Date.UTC(2026, 2, 1)

/** What it is about, policies, time, and what comes of it. */
const timed: readonly (readonly [string, readonly Rule[], number, string])[] = [
  ['an empty time', [{ ...allow(SIGN), time: '' }], FEBRUARY, 'allow ALLOW'],
  ['inactive, but about something else', [{ ...allow('false'), time: neverOn }], MARCH, 'none DENY_IMPLICIT'],
  ['inactive, of others', [{ ...allow(SIGN, anyB), time: neverOn }], MARCH, 'none DENY_IMPLICIT'],
  [
    'inactive, and waits for nobody',
    [{ ...allow(SIGN, `${anyA} && ${anyB}`), time: neverOn }],
    MARCH,
    'none DENY_IMPLICIT',
  ],
  [
    'active, and waits',
    [{ ...allow(SIGN, `${anyA} && ${anyB}`), time: fromMarch }],
    MARCH,
    'consensus REQUIRES_CONSENSUS',
  ],
  [
    'a failed denial that is inactive',
    [{ ...deny("activity.params.user_ids[1] == 'B' || true"), time: neverOn }, allow()],
    MARCH,
    'allow ERROR ALLOW',
  ],
  ['a time that no longer fits', [{ ...allow(SIGN), time: 'then.now' }], MARCH, 'none ERROR'],
  [
    'a denial whose time no longer fits',
    [{ ...deny(SIGN), time: "CronSpan('0 22 * * *','8h','Atlantis/Capital')" }, allow()],
    MARCH,
    'deny DENY_EXPLICIT ALLOW',
  ],
]

for (const [row, rules, now, expected] of timed) {
  test(`${row} comes to ${expected}`, () => {
    const about = row.startsWith('a failed') ? deletes(['A']) : signs
    assert.equal(told(decide(rules, about, [A], now)), expected)
  })
}

test('whose vote a policy asks for is nobody while it is inactive', () => {
  const rule = { ...allow(SIGN, `${anyA} && ${anyB}`), time: fromMarch }

  assert.deepEqual(eligible([rule], signs, [A], FEBRUARY), [])
  assert.deepEqual(eligible([rule], signs, [A], MARCH), ['B'])
})

test('a refusal names the policies that denied, and only those', () => {
  const answer = decide([deny(SIGN), allow(), deny("activity.action == 'EXPORT'"), deny()], signs, [A])

  assert.deepEqual(answer.deniedBy, ['policy-0', 'policy-3'])
})

test('whatever the policies and the request, the outcomes are those of the slow reference', () => {
  const seen = decideAtRandom(3_000)

  const outcomes = ['ALLOW', 'DENY_EXPLICIT', 'DENY_IMPLICIT', 'REQUIRES_CONSENSUS', 'ERROR', 'TIME_INACTIVE']
  for (const outcome of outcomes) assert.ok((seen.get(`OUTCOME_${outcome}`) ?? 0) > 5, outcome)
  for (const decision of ['allow', 'deny', 'consensus', 'none'])
    assert.ok((seen.get(decision) ?? 0) > 0, decision)
})

const writing: readonly (readonly [string, Parameters<typeof checkPolicyTerms>[0], string])[] = [
  [
    'condition keywords in a consensus',
    { consensus: "activity.kind == 'X'" },
    'invalid policy consensus: Expression cannot be evaluated: keyword does not exist: activity (at 0:8)',
  ],
  [
    'consensus keywords in a condition',
    { condition: anyA },
    'invalid policy condition: Expression cannot be evaluated: keyword does not exist: approvers (at 0:9)',
  ],
  [
    'an unknown zone',
    { time: "time.now > Timestamp('2026-01-01T00:00:00Z') && CronSpan('5 * * * *','1d','+01:00')" },
    'invalid policy time: Expression cannot be evaluated: not a time zone: +01:00 (at 48:83)',
  ],
  [
    'time in a condition',
    { condition: "time.now > Timestamp('2026-01-01T00:00:00Z')" },
    'invalid policy condition: Expression cannot be evaluated: keyword does not exist: time (at 0:4)',
  ],
  [
    'a window in a condition',
    { condition: "CronSpan('5 * * * *','1d','UTC')" },
    'invalid policy condition: Expression cannot be evaluated: CronSpan is for the time of a policy (at 0:32)',
  ],
  [
    'the activity in a time',
    { time: "activity.kind == 'X'" },
    'invalid policy time: Expression cannot be evaluated: keyword does not exist: activity (at 0:8)',
  ],
]

for (const [row, terms, message] of writing) {
  test(`writing a policy with ${row} is refused`, () => {
    assert.throws(() => checkPolicyTerms(terms, vocabulary), { name: 'Failure', code: 3, message })
  })
}

test('an expression of too many parts is not written, and one that is stored is read', () => {
  const comparisons = (count: number) => Array.from({ length: count }, () => '1<2').join('||')
  for (const part of ['condition', 'consensus', 'time'] as const) {
    checkPolicyTerms({ [part]: comparisons(1_666) }, vocabulary)
    const terms = { [part]: comparisons(1_667) }
    const message = new RegExp(`^invalid policy ${part}: .*: 5002 parts, of 5000 at most`)
    assert.throws(() => checkPolicyTerms(terms, vocabulary), { name: 'Failure', code: 3, message })
    assert.equal(
      decideWith([{ effect: 'EFFECT_ALLOW', ...terms }], signs, [A], { vocabulary }).decision,
      'allow',
    )
  }
})

test('each expression of a policy is read in a step of its own, and each spelling of a zone is one when it is written', () => {
  const span = (zone: string) => `CronSpan('5 * * * *','1d','${zone}')`
  const time = [span('UTC'), span('utc'), span('UTC')].join(' || ')
  const terms = { condition: 'true', consensus: 'true || false', time }
  const reading = [terms.condition, terms.consensus, time].map(
    ({ length }) => length * costs.expressionCharacter,
  )

  const checking = [...checkSteps([terms], vocabulary)]
  assert.deepEqual(checking, [...reading, costs.timeZone, costs.timeZone])
  const stored = { policyId: 'P', effect: 'EFFECT_ALLOW', ...terms } as const
  const compiling = [...compileSteps(stored, vocabulary, noControls)]
  assert.deepEqual(
    compiling.filter((cost) => cost > 0),
    reading,
  )
})

test('a policy may be written without any of its expressions, and with an empty time', () => {
  checkPolicyTerms({}, vocabulary)
  checkPolicyTerms({ time: '' }, vocabulary)
  checkPolicyTerms({ condition: 'true', consensus: 'true' }, vocabulary)
})

function decide(
  rules: readonly Rule[],
  facts: Facts,
  approvals: readonly Approval[],
  now = NOW,
): PolicyAnswer {
  return decideWith(rules, facts, approvals, { vocabulary, now })
}

function eligible(
  rules: readonly Rule[],
  facts: Facts,
  approvals: readonly Approval[],
  now = NOW,
): readonly string[] {
  const policies = rules.map((rule, at) => compilePolicy({ policyId: `policy-${at}`, ...rule }, vocabulary))
  return eligibleVoters({ policies, facts, approvals, everyone: everyone.map(withPasskey), now })
}
