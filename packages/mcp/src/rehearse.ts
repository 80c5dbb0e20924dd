import { type Agent, namedUsers } from './agent.ts'
import { asData, type Data } from './data.ts'
import { type Decoded, decodedIn, READING_DRAFT } from './decoded.ts'
import { conjuncts, type ExplainedPolicy, isTrue, type Judgement, type Part, tried } from './explanation.ts'
import { type Limit, limitsIn } from './limits.ts'
import type { Service } from './service.ts'
import type { SigningRequest } from './signing-request.ts'

/** What would happen to a request, and what it does; nothing is signed, counted or recorded. */
type Rehearsal = {
  readonly decision: Judgement['decision']
  readonly decoded: Decoded | undefined
  readonly mayApprove: Awaited<ReturnType<typeof namedUsers>>
  readonly limits: readonly Limit[]
  readonly reasons: readonly Reason[]
  /** How many further reasons there are. */
  readonly moreReasons: number
}

/** Why a policy did not allow the request, or that it denied it. */
type Reason = {
  readonly policyId: string
  readonly why: 'denied' | 'not met' | 'not active now' | 'cannot be evaluated'
  /** The parts of its condition that are not true, each with the values that it has here. */
  readonly notMet: readonly { readonly expression: Data; readonly values: readonly Data[] }[]
  readonly moreNotMet?: number
}

export async function rehearse(
  service: Service,
  { organizationId }: Pick<Agent, 'organizationId'>,
  { type, parameters }: Pick<SigningRequest, 'type' | 'parameters'>,
  signal?: AbortSignal,
): Promise<Rehearsal> {
  const ask = async (draft?: object) => {
    const asked = { organizationId, type, parameters, explain: true }
    return await service.query(
      'try_activity',
      draft === undefined ? asked : { ...asked, draft },
      tried,
      signal,
    )
  }
  // Where the draft is refused, as one policy too many is, the request itself may still be judged.
  const { judgement, drafted } = await ask(READING_DRAFT).catch(async () => await ask())
  const policies = judgement.explanations.flatMap(({ policies: of }) => of)
  const reasons = judgement.decision === 'allow' ? [] : policies.flatMap(reasonOf).toSorted(denialsFirst)
  return {
    decision: judgement.decision,
    decoded: (drafted && decodedIn(drafted)) ?? (await readAlone(ask, judgement)),
    mayApprove: await namedUsers(service, organizationId, judgement.voters),
    limits: policies.filter(isForThis).flatMap(limitsIn),
    reasons: reasons.slice(0, REASONS_MAX),
    moreReasons: Math.max(0, reasons.length - REASONS_MAX),
  }
}

/** What others have written in policies is not to be all that a model can hold. */
const REASONS_MAX = 20
const NOT_MET_MAX = 5

function denialsFirst(a: Reason, b: Reason): number {
  return Number(b.why === 'denied') - Number(a.why === 'denied')
}

/** An explanation has room for so many parts: where the policies take it up, what is read is asked for without them. */
async function readAlone(
  ask: (draft: object) => Promise<{ readonly drafted?: Judgement | undefined }>,
  { policyEvaluations }: Judgement,
): Promise<Decoded | undefined> {
  const withoutPolicyIds = policyEvaluations.map(({ policyId }) => policyId)
  const { drafted } = await ask({ ...READING_DRAFT, withoutPolicyIds })
  return drafted && decodedIn(drafted)
}

/** A policy that the request meets, but perhaps for its limits; of denials, one that a limit alone keeps away. */
function isForThis({ condition }: ExplainedPolicy): boolean {
  if (condition?.whole === undefined) return false
  return conjuncts(condition.whole).every((part) => isTrue(part) || /usage\.(sum|count)\(/.test(part.text))
}

const WHY: { readonly [effectAndOutcome: string]: Reason['why'] } = {
  'EFFECT_DENY OUTCOME_DENY_EXPLICIT': 'denied',
  'EFFECT_ALLOW OUTCOME_DENY_IMPLICIT': 'not met',
  'EFFECT_ALLOW OUTCOME_TIME_INACTIVE': 'not active now',
  'EFFECT_ALLOW OUTCOME_ERROR': 'cannot be evaluated',
}

function reasonOf({ policyId, effect, outcome, condition, consensus }: ExplainedPolicy): readonly Reason[] {
  const why = WHY[`${effect} ${outcome}`]
  if (why === undefined) return []
  const wholes = [condition?.whole, consensus?.whole].filter((whole) => whole !== undefined)
  const notMet = why === 'denied' ? [] : wholes.flatMap(conjuncts).filter((part) => !isTrue(part))
  const more = notMet.length - NOT_MET_MAX
  const parts = notMet.slice(0, NOT_MET_MAX).map(toldPart)
  return [{ policyId, why, notMet: parts, ...(more > 0 ? { moreNotMet: more } : {}) }]
}

function toldPart(part: Part): Reason['notMet'][number] {
  const values = part.parts
    .filter(({ kind }) => kind !== 'literal')
    .map(({ text, result }) => {
      const value = 'value' in result ? result.value : `no value: ${result.problem.reason}`
      return asData(`${text} is ${value}`)
    })
  return { expression: asData(part.text), values }
}
