import { activityType } from './lint/activity-type.ts'
import { allowsEverything } from './lint/allows-everything.ts'
import { contradiction } from './lint/contradiction.ts'
import { denyMayBeSkipped, denySkipped } from './lint/deny-skipped.ts'
import { duplicate } from './lint/duplicate.ts'
import type { Finding, Ground, LintedPolicy, Remark, Rule } from './lint/finding.ts'
import { letterCase } from './lint/letter-case.ts'
import { limitCountsOthers } from './lint/limit-counts-others.ts'
import { neverActive } from './lint/never-active.ts'
import { neverTogether } from './lint/never-together.ts'
import { neverTrue } from './lint/never-true.ts'
import type { AbstractRequest } from './lint/abstract-request.ts'
import { ownCredentialsWait } from './lint/own-credentials-wait.ts'
import { rawAroundDeny } from './lint/raw-around-deny.ts'
import { readPolicy } from './lint/read-policies.ts'
import type { Vocabulary } from './types.ts'

/** The service that the lint judges policies for. */
type LintGround = {
  readonly vocabulary: Vocabulary
  /** Every form of an activity about which policies decide. */
  readonly abstractRequests: readonly AbstractRequest[]
  /** Milliseconds since the Unix epoch. */
  readonly now?: number
  readonly rawSigningGuard?: boolean
}

/** Findings that the author of these policies should look at, in the order of the policies. They decide nothing. */
export function lintPolicies(policies: readonly LintedPolicy[], given: LintGround): readonly Finding[] {
  return [...lintSteps(policies, given)].flat()
}

/** The same findings, a policy at a time: a page can do something else in between. */
export function* lintSteps(
  policies: readonly LintedPolicy[],
  given: LintGround,
): Generator<readonly Finding[], void> {
  const { vocabulary, abstractRequests, now, rawSigningGuard = false } = given
  const all: ReturnType<typeof readPolicy>[] = []
  for (const policy of policies) {
    all.push(readPolicy(policy, vocabulary))
    yield []
  }
  const contents = [...new Set(abstractRequests.flatMap((request) => request.contents))]
  const read = all.map((one) => one.read)
  const ground: Ground = { policies: read, abstractRequests, contents, now, rawSigningGuard }
  for (const { read, remarks } of all) {
    const found = [...remarks, ...RULES.flatMap((rule) => rule(read, ground))]
    const { policyId, policyName } = read.policy
    const whose = { policyId, ...(policyName === undefined ? {} : { policyName }) }
    yield withoutRepetition(found).map((remark) => ({ ...whose, ...remark }))
  }
}

const RULES: readonly Rule[] = [
  allowsEverything,
  rawAroundDeny,
  contradiction,
  neverTogether,
  neverTrue,
  neverActive,
  denySkipped,
  denyMayBeSkipped,
  activityType,
  letterCase,
  duplicate,
  ownCredentialsWait,
  limitCountsOthers,
]

/** Without the finding that a policy is never true, where another finding gives the reason. */
function withoutRepetition(remarks: readonly Remark[]): readonly Remark[] {
  const isExplained = remarks.some(
    ({ what, place }) =>
      what === 'neverTogether' || (what === 'contradiction' && place?.part === 'condition'),
  )
  return isExplained ? remarks.filter(({ what }) => what !== 'neverTrue') : remarks
}
