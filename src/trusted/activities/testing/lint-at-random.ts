import assert from 'node:assert/strict'
import fc from 'fast-check'
import { present } from '../../base/assert.ts'
import { policyVocabulary } from '../../catalogue/vocabulary.ts'
import type { PolicyOutcome } from '../../policy/decide.ts'
import { lintPolicies } from '../../policy/lint.ts'
import type { AbstractRequest } from '../../policy/lint/abstract-request.ts'
import type { Finding, LintedPolicy } from '../../policy/lint/finding.ts'
import { anyApprovals } from '../../policy/testing/differential.ts'
import { abstractRequestsOf } from '../abstract-requests.ts'
import { activities } from '../list.ts'
import { anyLintedPolicies, LINTED_AT } from './arbitrary-linted-policy.ts'
import { anyFactsOf } from './arbitrary-request.ts'
import { judge, type Judgement } from './judged-request.ts'
import { CLAIMS } from './lint-claims.ts'

/** Few kinds of activity, so that many findings are about all of them. */
const KINDS = [
  'SIGN_TRANSACTION',
  'SIGN_RAW_PAYLOAD',
  'SIGN_TRANSACTION',
  'SIGN_RAW_PAYLOAD',
  'CREATE_API_KEYS',
  'STAMP_LOGIN',
  'UPDATE_WALLET',
  'OTP_LOGIN',
  'DELETE_USERS',
]

const vocabulary = policyVocabulary(activities)
const abstractRequests = abstractRequestsOf(activities).filter(
  ({ kind, contents }) =>
    KINDS.includes(kind) && contents.every((keyword) => keyword === 'eth' || keyword === 'solana'),
)

const anyForm = fc
  .constantFrom(...KINDS)
  .chain((kind) => fc.constantFrom(...abstractRequests.filter((form) => form.kind === kind)))

const anyTried = anyForm.chain((form) =>
  fc.record({
    // Its name alone, so that a case that is found can be read.
    form: fc.constant(form.name),
    facts: anyFactsOf(form, vocabulary),
    approvals: anyApprovals,
    // What is over when it is linted stays so.
    now: fc.integer({ min: 0, max: 20 * 60 }).map((minutes) => LINTED_AT + minutes * 60_000),
    used: fc.bigInt({ min: 0n, max: 3n }),
  }),
)

/**
 * Lints random policies, and holds each finding to random requests.
 *
 * @returns how many requests each kind of finding was held to
 * @throws  with the seed and the smallest case that was found, where a request contradicts a finding
 */
export function lintAtRandom(runs: number): ReadonlyMap<Finding['what'], number> {
  const held = new Map<Finding['what'], number>()
  const requests = fc.array(anyTried, { minLength: 1, maxLength: 16, size: 'max' })
  const property = fc.property(anyLintedPolicies, requests, (terms, tried) => {
    const policies = terms.map((each, at): LintedPolicy => ({ policyId: `P${at}`, ...each }))
    const findings = lintPolicies(policies, { vocabulary, abstractRequests, now: LINTED_AT })
    const judged = tried.map((request) =>
      judge(policies, { ...request, form: formNamed(request.form) }, vocabulary),
    )
    for (const finding of findings) {
      for (const { each } of judged) {
        const one = present(each.get(finding.policyId), 'a judgement of each policy')
        if (CLAIMS[finding.what]?.(finding, one) === true)
          held.set(finding.what, (held.get(finding.what) ?? 0) + 1)
      }
    }
    for (const [allow, deny] of gapsIn(judged)) {
      const found = findings.filter(({ what, policyId }) => what === 'rawAroundDeny' && policyId === allow)
      assert.ok(
        found.some(({ others }) => others?.includes(deny)),
        `raw bytes by ${allow} around ${deny}`,
      )
      held.set('rawAroundDeny', (held.get('rawAroundDeny') ?? 0) + 1)
    }
  })
  fc.assert(property, { numRuns: runs })
  return held
}

function formNamed(form: string): AbstractRequest {
  return present(
    abstractRequests.find(({ name }) => name === form),
    'each request has a form',
  )
}

/** Pairs of a policy that allowed opaque bytes, and of one that denied contents which the same signer showed. */
function gapsIn(judged: readonly Judgement[]): readonly (readonly [allow: string, deny: string])[] {
  return judged
    .filter(({ request: { form }, decision }) => form.isOpaque && decision === 'allow')
    .flatMap((opaque) =>
      judged
        .filter(({ request: { form } }) => !form.isOpaque && form.signer === opaque.request.form.signer)
        .flatMap((shown) =>
          policiesWith('OUTCOME_ALLOW', opaque).flatMap((allow) =>
            policiesWith('OUTCOME_DENY_EXPLICIT', shown)
              .filter((deny) => shown.each.get(deny)?.condition === true)
              .filter((deny) => /\b(eth|solana)\./.test(shown.each.get(deny)?.sources.condition ?? ''))
              .map((deny) => [allow, deny] as const),
          ),
        ),
    )
}

function policiesWith(outcome: PolicyOutcome, { each }: Judgement): readonly string[] {
  return [...each].flatMap(([policyId, judged]) => (judged.outcome === outcome ? [policyId] : []))
}
