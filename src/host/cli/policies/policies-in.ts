import { isJsonObject, type JsonObject, type JsonValue } from '../../../trusted/base/strict-json.ts'
import {
  invalidField,
  label,
  object,
  oneOf,
  optional,
  shown,
  text,
} from '../../../trusted/catalogue/shape.ts'
import type { LintedPolicy } from '../../../trusted/policy/lint/finding.ts'

/**
 * Policies in a file: a list of them, or an object with `policies`, as in the answer of `list_policies`. Fields of such
 * an answer that do not affect decisions are ignored. A policy without an id gets its name, or its position.
 */
export function policiesIn(value: JsonValue | undefined, at: string): readonly LintedPolicy[] {
  const listed = isJsonObject(value) ? value['policies'] : value
  if (!Array.isArray(listed))
    throw invalidField({ field: at, problem: `must be a list of policies, not ${shown(value)}` })
  const policies = listed.map((item: JsonValue, index) => policyIn(item, `${at}[${index}]`))
  const twice = policies.find(
    ({ policyId }, index) => policies.findIndex((lintedPolicy) => lintedPolicy.policyId === policyId) < index,
  )
  if (twice !== undefined)
    throw invalidField({ field: at, problem: `has two policies that are called ${shown(twice.policyId)}` })
  return policies
}

const policyShape = object({
  policyId: optional(text({ min: 1, max: 255 })),
  policyName: optional(label),
  effect: oneOf(['EFFECT_ALLOW', 'EFFECT_DENY']),
  condition: optional(text({ max: 1_000_000 })),
  consensus: optional(text({ max: 1_000_000 })),
  time: optional(text({ max: 1_000_000 })),
})
const PARTS = ['policyId', 'policyName', 'effect', 'condition', 'consensus', 'time']

function policyIn(value: JsonValue, at: string): LintedPolicy {
  const known = isJsonObject(value) ? partsOf(value) : value
  const policy = policyShape.read(known, at, 'strict')
  return { ...policy, policyId: policy.policyId ?? policy.policyName ?? at }
}

/** The service returns an empty text for a missing part of a policy. */
function partsOf(policy: JsonObject): JsonObject {
  const isAnswer = policy['createdAt'] !== undefined
  const parts = Object.entries(policy).filter(
    ([name, part]) => PARTS.includes(name) && !(isAnswer && part === ''),
  )
  return Object.fromEntries(parts)
}
