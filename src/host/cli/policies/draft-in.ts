import { isUuid } from '../../../trusted/base/ids.ts'
import { isJsonObject } from '../../../trusted/base/strict-json.ts'
import { policiesIn } from './policies-in.ts'
import { about, readJsonFile } from './read-file.ts'

/** A draft as `try_activity` and `replay_policies` take it. */
export type SentDraft = {
  readonly policies: readonly { readonly policyId?: string; readonly policyName: string }[]
  readonly withoutPolicyIds: unknown
}

/**
 * The policies of a file, put beside those that there are, or in the place of the one whose id they have.
 * `withoutPolicyIds` beside `policies` names those to be left out.
 *
 * @param instead  when the file is to stand for all policies: those that there are
 */
export function draftIn(path: string, instead: readonly { readonly policyId: string }[]): SentDraft {
  const file = readJsonFile(path)
  const policies = about(path, () => policiesIn(file, 'policies')).map(
    ({ policyId, policyName, ...terms }) => ({
      ...(isUuid(policyId) ? { policyId } : {}),
      policyName: policyName ?? policyId,
      ...terms,
    }),
  )
  const named = (isJsonObject(file) ? file['withoutPolicyIds'] : undefined) ?? []
  return {
    policies,
    withoutPolicyIds: instead.length === 0 ? named : instead.map(({ policyId }) => policyId),
  }
}
