import { grantsRawByName } from '../raw-grant.ts'
import type { Tree } from '../tree.ts'
import type { Ground, ReadPolicy, Rule } from './finding.ts'
import { canBe, evaluateAbstractly, isCertainly } from './evaluate-abstractly.ts'
import type { AbstractRequest } from './abstract-request.ts'
import { pathOf, walk } from './walk.ts'

/**
 * An ALLOW policy that lets raw bytes around a DENY policy about contents. Of bytes that show nothing, such as a
 * digest, the DENY policy knows nothing. It is skipped, and the same transaction is signed. The rule may report a
 * policy whose bytes other parts of the policies stop; it misses none.
 */
export const rawAroundDeny: Rule = (read, ground) => {
  const { policy, trees, unreadable } = read
  if (policy.effect !== 'EFFECT_ALLOW' || unreadable.length > 0) return []
  const isNamed = grantsRawByName(trees.condition)
  if (ground.rawSigningGuard && !isNamed) return []
  const open = ground.abstractRequests.filter(
    (abstractRequest) =>
      abstractRequest.isOpaque &&
      mayHold(trees.condition, abstractRequest) &&
      !isDenied(abstractRequest, ground),
  )
  const around = ground.policies.filter((other) => open.some((raw) => isAbout(other, raw, ground)))
  if (around.length === 0) return []
  const when = [...new Set(open.map(({ name }) => name))].join('; ')
  return [
    {
      severity: isNamed ? 'note' : 'danger',
      what: 'rawAroundDeny',
      why: `It can allow raw bytes that show policies nothing, or not enough (${when}). The bytes can be the digest of a transaction that other policies deny by its contents. Add \`activity.kind == 'SIGN_TRANSACTION'\` or \`!payload.opaque\` in a policy of its own, or deny \`payload.opaque\`.`,
      others: around.map((other) => other.policy.policyId),
    },
  ]
}

function mayHold(condition: Tree | undefined, { facts }: AbstractRequest): boolean {
  return condition === undefined || canBe(true, evaluateAbstractly(condition, facts))
}

/** Whether some DENY policy certainly denies it, with any approvers and at any time. */
function isDenied({ facts }: AbstractRequest, { policies }: Ground): boolean {
  return policies.some(({ policy, trees, unreadable }) => {
    if (policy.effect !== 'EFFECT_DENY' || unreadable.length > 0) return false
    if (trees.consensus !== undefined || trees.time !== undefined) return false
    return trees.condition === undefined || isCertainly(true, evaluateAbstractly(trees.condition, facts))
  })
}

/**
 * Whether it is a DENY policy about contents, in force where the same key or account signs something that shows its
 * contents.
 */
function isAbout(
  { policy, trees }: ReadPolicy,
  raw: AbstractRequest,
  { abstractRequests, contents }: Ground,
): boolean {
  const { condition } = trees
  if (policy.effect !== 'EFFECT_DENY' || condition === undefined) return false
  // Bytes that show a part of their contents cannot be anything else.
  if (!namesOneOf(raw.contents.length === 0 ? contents : raw.contents, condition)) return false
  return abstractRequests.some(
    (abstractRequest) =>
      !abstractRequest.isOpaque &&
      abstractRequest.signer === raw.signer &&
      canBe(true, evaluateAbstractly(condition, abstractRequest.facts)),
  )
}

function namesOneOf(keywords: readonly string[], condition: Tree): boolean {
  return walk(condition).some((part) => keywords.includes(pathOf(part)?.[0] ?? ''))
}
