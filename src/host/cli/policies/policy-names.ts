import { list, object, type TypeOf } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { policyShape } from '../../queries/shapes.ts'
import { type Caller, signedQuery } from '../signed-query.ts'
import type { SentDraft } from './draft-in.ts'
import { printable } from './printable.ts'

const listed = object({ policies: list(policyShape, { max: limits.policies }) })

type Listed = TypeOf<typeof listed>['policies']

export async function listedPolicies(caller: Caller): Promise<Listed> {
  return (await signedQuery(caller, 'list_policies', {}, listed)).policies
}

/** A policy by its name, followed by its id. The service numbers policies of a draft that have no id yet. */
export function policyNames(policies: Listed, draft?: SentDraft): (policyId: string) => string {
  const names = new Map<string, string>()
  for (const { policyId, policyName } of policies) names.set(policyId, policyName)
  for (const [at, { policyId = `draft-${at + 1}`, policyName }] of (draft?.policies ?? []).entries())
    names.set(policyId, policyName)
  return (policyId) => {
    const name = names.get(policyId)
    return name === undefined ? printable(policyId) : `${printable(name)} (${printable(policyId)})`
  }
}
