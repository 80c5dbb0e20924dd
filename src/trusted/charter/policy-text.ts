import { digestOf } from '../base/joined.ts'
import type { Policy } from './charter.ts'

/** The parts of a policy that decide. Its name and its notes may change without another decision. */
export type PolicyText = Pick<Policy, 'policyId' | 'effect' | 'condition' | 'consensus' | 'time'>

export function policyText({ policyId, effect, condition, consensus, time }: Policy): PolicyText {
  return {
    policyId,
    effect,
    ...(condition === undefined ? {} : { condition }),
    ...(consensus === undefined ? {} : { consensus }),
    ...(time === undefined ? {} : { time }),
  }
}

/** The digest by which a record names the text of a policy that counted: 64 hex digits. */
export function policyDigest({ policyId, effect, condition, consensus, time }: PolicyText): string {
  return digestOf(['claviger policy 1', policyId, effect, consensus ?? null, condition ?? null, time ?? null])
}
