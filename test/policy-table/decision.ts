import assert from 'node:assert/strict'
import type { JsonAnswer, Member, Response } from '../support/service.ts'
import type { Organization } from './organization.ts'
import { type Row, shown } from './row.ts'

/** Policies that the root user writes, then requests, in their order. */
type Decision = { readonly policies: readonly Terms[]; readonly requests: readonly Request[] }

export type Terms = {
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition?: string
  readonly consensus?: string
  readonly time?: string
}

export type Ask = { readonly type: string; readonly parameters: object }

type Request = {
  /** A, unless told. */
  readonly by?: Member
  readonly ask: Ask
  /** What becomes of it, and what each policy says, in their order. */
  readonly comesTo: readonly [keyof typeof statuses, ...outcomes: readonly string[]]
  /** Sets the clock forward, to this moment. */
  readonly at?: number
}

/** A row that is policies and requests and nothing else. */
export function decided(
  row: number,
  promise: string,
  decision: (o: Organization) => Decision | Promise<Decision>,
): Row {
  return shown(row, promise, async (o) => {
    const { policies, requests } = await decision(o)
    const policyIds = await written(o, policies)
    for (const request of requests) await checked(o, policyIds, request)
  })
}

export function allow(condition?: string, more: Partial<Terms> = {}): Terms {
  return { effect: 'EFFECT_ALLOW', ...(condition === undefined ? {} : { condition }), ...more }
}

export function deny(condition: string, more: Partial<Terms> = {}): Terms {
  return { effect: 'EFFECT_DENY', condition, ...more }
}

export const SIGN = "activity.action == 'SIGN'"

/** True once each of them has approved, or submitted. */
export function anyOf(...members: readonly Member[]): string {
  return members.map(({ userId }) => `approvers.any(u, u.id == '${userId}')`).join(' && ')
}

/** The ids of the policies, which the root user has written. */
export async function written(o: Organization, policies: readonly Terms[]): Promise<readonly string[]> {
  if (policies.length === 0) return []
  const { policyIds } = await o.service.done(o.R, 'ACTIVITY_TYPE_CREATE_POLICIES', {
    policies: policies.map((terms, at) => ({ policyName: `Policy ${at}`, notes: '', ...terms })),
  })
  return policyIds
}

/** Submits the request and compares what becomes of it; answers its record. */
export async function checked(
  o: Organization,
  policyIds: readonly string[],
  { by = o.A, ask, comesTo: [comesTo, ...outcomes], at }: Request,
): Promise<JsonAnswer> {
  const { service, D } = o
  const { world } = service
  world.advance(at === undefined ? 1 : at - world.now())
  const answer = await service.submit(by, ask.type, ask.parameters)

  const listed = await service.query(D, 'list_activities', { paginationOptions: { limit: '1' } })
  const [stored] = listed.json.activities
  assert.equal(stored?.type, ask.type, answer.text)
  assert.equal(stored.status, statuses[comesTo], answer.text)
  const evaluated = await service.query(D, 'get_policy_evaluations', { activityId: stored.id })
  const [{ policyEvaluations }] = evaluated.json.policyEvaluations
  assert.deepEqual(
    policyEvaluations,
    outcomes.map((outcome, index) => ({ policyId: policyIds[index], outcome: `OUTCOME_${outcome}` })),
  )
  if (comesTo === 'denied') checkDenial(answer, stored, policyEvaluations)
  else assert.equal(answer.json.activity.id, stored.id)
  return stored
}

const statuses = {
  completed: 'ACTIVITY_STATUS_COMPLETED',
  waits: 'ACTIVITY_STATUS_CONSENSUS_NEEDED',
  denied: 'ACTIVITY_STATUS_FAILED',
}

type Evaluation = { readonly policyId: string | undefined; readonly outcome: string }

/** The refusal is told with every policy's outcome, its record says the same, and there is no result. */
function checkDenial(
  { status, json }: Response,
  stored: JsonAnswer,
  policyEvaluations: readonly Evaluation[],
): void {
  assert.equal(status, 403)
  assert.equal(json.code, 7)
  assert.match(json.message, /^You don't have sufficient permissions to take this action\./)
  const denying = policyEvaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  const [detail] = json.details
  assert.equal(detail['@type'], 'type.googleapis.com/errors.v1.PolicyEnginePermissionError')
  assert.deepEqual(detail.policyEvaluations, policyEvaluations)
  assert.equal(
    detail.message,
    denying.length > 0
      ? `The following policies denied this action: ${denying.join(', ')}`
      : 'No policies evaluated to outcome: Allow',
  )
  assert.deepEqual(stored.failure, json)
  assert.deepEqual(Object.keys(stored.result), ['activity'])
}
