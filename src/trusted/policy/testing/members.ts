import assert from 'node:assert/strict'
import { compilePolicy, type PolicyTerms } from '../compile-policy.ts'
import { decidePolicies, type PolicyAnswer } from '../decide.ts'
import type { Usage } from '../run.ts'
import type { Approval } from '../people.ts'
import type { Facts, Vocabulary } from '../types.ts'

export type Rule = Omit<PolicyTerms, 'policyId'>

/** 1 March 2026, noon. */
export const NOW = Date.UTC(2026, 2, 1, 12)

export const R = person('R', [])
export const A = person('A', ['ops'], { email: 'a@x.io' })
export const B = person('B', ['ops'])
export const C = person('C', ['sec'])
export const D = person('D', [])
export const everyone = [R, A, B, C, D]

export const allow = (condition?: string, consensus?: string): Rule => ({
  effect: 'EFFECT_ALLOW',
  condition,
  consensus,
})
export const deny = (condition?: string, consensus?: string): Rule => ({
  effect: 'EFFECT_DENY',
  condition,
  consensus,
})

export const anyA = "approvers.any(u, u.id == 'A')"
export const anyB = "approvers.any(u, u.id == 'B')"
export const twoOps = "approvers.filter(u, u.tags.contains('ops')).count() > 1"
export const SIGN = "activity.action == 'SIGN'"

type Circumstances = {
  readonly vocabulary: Vocabulary
  readonly now?: number
  readonly usage?: Usage
}

/** @param approvals  the last of them is the voter */
export function decide(
  rules: readonly Rule[],
  facts: Facts,
  approvals: readonly Approval[],
  { vocabulary, now = NOW, usage }: Circumstances,
): PolicyAnswer {
  const policies = rules.map((rule, at) => compilePolicy({ policyId: `policy-${at}`, ...rule }, vocabulary))
  const voter = approvals.at(-1)
  assert.ok(voter)
  const withPasskeys = everyone.map(withPasskey)
  return decidePolicies({ policies, facts, approvals, voter, everyone: withPasskeys, now, usage })
}

/** The decision, and the outcome of each policy: `allow ALLOW ERROR`. */
export function told({ decision, evaluations }: PolicyAnswer): string {
  return [decision, ...evaluations.map(({ outcome }) => outcome.replace('OUTCOME_', ''))].join(' ')
}

export function activity(kind: string, resource: string, action: string, params: Facts, version = ''): Facts {
  return { activity: { type: `ACTIVITY_TYPE_${kind}${version}`, kind, resource, action, params } }
}

export function person(
  id: string,
  tags: readonly string[],
  overrides: { readonly email?: string } = {},
): Approval {
  const apiKey = {
    id: `api key of ${id}`,
    userId: id,
    type: 'CREDENTIAL_TYPE_API_KEY_P256',
    credentialId: '',
    publicKey: `02${id}`,
  }
  return { user: { id, tags, email: '', alias: id, ...overrides }, credentials: [apiKey] }
}

export function withPasskey({ user, credentials }: Approval): Approval {
  const type = 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'
  const passkey = {
    id: `authenticator of ${user.id}`,
    userId: user.id,
    type,
    credentialId: `passkey of ${user.id}`,
    publicKey: '',
  }
  return { user, credentials: [...credentials, passkey] }
}
