import { isUuid } from '../../../trusted/base/ids.ts'
import { isJsonObject } from '../../../trusted/base/strict-json.ts'
import { policiesIn } from './policies-in.ts'
import { about, readJsonFile } from './read-json-file.ts'

/** A draft in the form of `try_activity` and `replay_policies`. */
export type SentDraft = {
  readonly policies: readonly { readonly policyId?: string; readonly policyName: string }[]
  readonly withoutPolicyIds: unknown
}

/**
 * The policies of a file, added to the present ones, or replacing the one with the same id. `withoutPolicyIds` beside
 * `policies` names those to leave out.
 *
 * @param instead  the present policies, if the file replaces all of them
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
