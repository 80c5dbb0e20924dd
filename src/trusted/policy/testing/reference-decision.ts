import type { PolicyOutcome } from '../decide.ts'
import { parse } from '../parse.ts'
import type { Facts } from '../types.ts'
import type { WrittenPolicy } from './arbitrary-policy.ts'
import { referenceEvaluate } from './reference.ts'

type ReferenceRequest = {
  readonly facts: Facts
  readonly people: Facts
  readonly now: number
  readonly past: readonly Facts[]
}

/**
 * The outcomes that a policy may have for a request: nearly always one. Whether the request waits is a separate
 * question.
 */
export function referenceOutcomes(
  { effect, condition, consensus, time }: WrittenPolicy,
  { facts, people, now, past }: ReferenceRequest,
): readonly PolicyOutcome[] {
  const about = condition === undefined ? true : referenceEvaluate(parse(condition), facts, past)
  const agreed = consensus === undefined ? true : referenceEvaluate(parse(consensus), people)
  const always = time === undefined || time === ''
  const active = always ? true : referenceEvaluate(parse(time), { time: { now: BigInt(now) } })
  const isDeny = effect === 'EFFECT_DENY'
  const broken = isDeny && active !== false ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'

  if (about === 'missing') return ['OUTCOME_ERROR']
  if (about === 'failed') return [broken]
  if (!about) return ['OUTCOME_DENY_IMPLICIT']
  if (agreed === 'missing') return ['OUTCOME_ERROR']
  if (agreed === 'failed') return [broken]
  if (!agreed) {
    const mayWait = !isDeny && active === true
    return mayWait ? ['OUTCOME_DENY_IMPLICIT', 'OUTCOME_REQUIRES_CONSENSUS'] : ['OUTCOME_DENY_IMPLICIT']
  }
  if (active === 'missing') return ['OUTCOME_ERROR']
  if (active === 'failed') return [broken]
  if (!active) return ['OUTCOME_TIME_INACTIVE']
  return [isDeny ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ALLOW']
}
