import { costs } from '../base/costs.ts'
import type { Steps } from '../base/work.ts'
import { defineKind, place, type Placed } from '../catalogue/objects.ts'
import type { Charter, Policy } from '../charter/charter.ts'
import { charactersOf } from '../policy/compile-policy.ts'
import { policyDigest, type PolicyText, policyText } from '../charter/policy-text.ts'

/** The texts of policies under their digests. Decisions do not use them; they document the policies behind a record. */
export const policyTexts = defineKind<PolicyText>({
  kind: 'policy_text',
})

/**
 * The texts of the policies that an amendment adds, and of those that it removes: a policy from before texts were
 * stored is stored when it is removed. Every policy that ever counted is then stored, or in the current charter;
 * signing writes none.
 */
export function* textsOfChange(before: Charter, after: Charter): Steps<readonly Placed[]> {
  if (before.policies === after.policies) return []
  // Unchanged policies need no digest.
  const [earlier, later] = [new Set(before.policies), new Set(after.policies)]
  const had = yield* byDigest(before.policies.filter((policy) => !later.has(policy)))
  const has = yield* byDigest(after.policies.filter((policy) => !earlier.has(policy)))
  return [...had, ...has]
    .filter(([digest]) => !(had.has(digest) && has.has(digest)))
    .map(([digest, policy]) => place(policyTexts, digest, policyText(policy)))
}

function* byDigest(policies: readonly Policy[]): Steps<ReadonlyMap<string, Policy>> {
  const found = new Map<string, Policy>()
  for (const policy of policies) {
    yield costs.row + charactersOf(policy) * costs.rowCharacter
    found.set(policyDigest(policy), policy)
  }
  return found
}
