import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../activities/list.ts'
import { activitiesByType, type Submission } from '../../catalogue/submission.ts'
import { policyVocabulary } from '../../catalogue/vocabulary.ts'
import { compilePolicy, type PolicyTerms } from '../../policy/compile-policy.ts'
import { present } from '../../base/assert.ts'
import { SLICE } from '../../base/work.ts'
import type { CompiledCharter } from '../charters/compiled-charter.ts'
import { couldAllow } from './could-allow.ts'

const vocabulary = policyVocabulary(activities)
const MEMBER = '0198c5a0-7d3c-7000-8000-000000000001'
const ROOT = '0198c5a0-7d3c-7000-8000-000000000002'

function submissionOf(type: string, newest: object): Submission {
  const known = present(activitiesByType(activities).get(type), type)
  return { ...known, type, organizationId: '', timestampMs: 0, fingerprint: '', intent: {}, newest }
}

type Terms = Omit<PolicyTerms, 'policyId'>

function could(...asked: Parameters<typeof asks>): boolean {
  return asks(...asked).could
}

function asks(
  terms: Terms | readonly Terms[],
  type = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
  by = MEMBER,
  asked = {},
): ReturnType<typeof couldAllow> {
  const policies = [terms]
    .flat()
    .map((item, at) => compilePolicy({ policyId: `p${at}`, ...item }, vocabulary))
  // Nothing else of a charter is looked at.
  const compiled = {
    charter: { rootQuorum: { threshold: 1, userIds: [ROOT] } },
    policies,
  } as never as CompiledCharter
  const user = { id: by, tags: ['signers'], email: '', alias: '' }
  return couldAllow(compiled, { user, credentials: [] }, submissionOf(type, asked))
}

const ALLOW = 'EFFECT_ALLOW'

test('a policy that is about another kind of activity allows nobody anything', () => {
  assert.equal(could({ effect: ALLOW, condition: "activity.action == 'EXPORT'" }), false)
  assert.equal(could({ effect: ALLOW, condition: "activity.type == 'ACTIVITY_TYPE_CREATE_USERS'" }), false)
  assert.equal(could({ effect: ALLOW, condition: "activity.action == 'SIGN'" }), true)
})

test('one policy that could allow it is enough, whatever others are about', () => {
  const signs: Terms = { effect: ALLOW, condition: "activity.action == 'SIGN'" }
  const exports: Terms = { effect: ALLOW, condition: "activity.action == 'EXPORT'" }
  assert.equal(could([exports, signs, { effect: 'EFFECT_DENY', condition: 'true' }]), true)
  assert.equal(could([exports, exports]), false)
})

test('what only reading would show may still allow, and a keyword that such an activity does not have cannot', () => {
  assert.equal(could({ effect: ALLOW, condition: "eth.eip_712.primary_type == 'Order'" }), true)
  assert.equal(could({ effect: ALLOW, condition: "eth.tx.chain_id == 1 && activity.action == 'SIGN'" }), true)
  assert.equal(could({ effect: ALLOW, condition: "usage.count('1h') < 5" }), true)
  assert.equal(could({ effect: ALLOW, condition: "activity.organization_id == 'one'" }), true)
  assert.equal(
    could({ effect: ALLOW, condition: 'eth.tx.chain_id == 1' }, 'ACTIVITY_TYPE_CREATE_USER_TAG'),
    false,
  )
})

test('a policy that does not count this user allows them nothing, and one that denies allows nobody anything', () => {
  const consensus = "approvers.any(user, user.tags.contains('signers'))"
  assert.equal(could({ effect: ALLOW, consensus }), true)
  assert.equal(
    could({ effect: ALLOW, consensus: "approvers.any(user, user.tags.contains('others'))" }),
    false,
  )
  assert.equal(could({ effect: ALLOW, consensus: 'approvers.count() >= 2' }), true)
  assert.equal(could({ effect: 'EFFECT_DENY', condition: 'true' }), false)
})

test('the root quorum could always, and is the only one where nobody else may', () => {
  assert.equal(could({ effect: ALLOW, condition: 'false' }, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', ROOT), true)
  assert.equal(could({ effect: ALLOW }, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM'), false)
})

test('users could always act on their own credentials, and on those of others where a policy could allow it', () => {
  const type = 'ACTIVITY_TYPE_CREATE_API_KEYS_V2'
  const others: Terms = { effect: ALLOW, condition: "activity.resource == 'WALLET'" }
  assert.equal(could(others, type, MEMBER, { userId: MEMBER }), true)
  assert.equal(could(others, type, MEMBER, { userId: ROOT }), false)
  assert.equal(could({ effect: ALLOW }, type, MEMBER, { userId: ROOT }), true)
})

test('a hundred long policies cost no more than a slice, and those that are not looked at could allow', () => {
  const kinds = Array.from({ length: 3_000 }, (_, at) => `'${at % 10}'`).join(', ')
  const numbers = Array.from({ length: 90 }, (_, at) => at).join(', ')
  const hundred = (terms: Omit<Terms, 'effect'>) => Array<Terms>(100).fill({ effect: ALLOW, ...terms })
  for (const terms of [
    { condition: `activity.kind in [${kinds}]` },
    { condition: `activity.kind in [${kinds}] && activity.resource == 'NOTHING'`, isQuick: true },
    {
      consensus: `approvers.filter(u, [${numbers}].all(a, [${numbers}].any(b, a < 0 || b < 0))).count() > 0`,
    },
  ]) {
    const { isQuick = false, ...rest } = terms
    const { could: answer, cost } = asks(hundred(rest))
    assert.equal(answer, !isQuick)
    assert.ok(cost > 0 && cost <= SLICE, `${cost} units`)
  }
})
