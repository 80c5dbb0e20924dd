import { type Facts, string, struct, type Type, type Vocabulary } from '../policy/types.ts'
import type { Activity } from './activity.ts'
import { kindOf } from './form.ts'
import type { Submission } from './submission.ts'

/**
 * Everything that a policy may name: `activity`, with every parameter that some activity shows, and the keywords that
 * activities add. A condition that names anything else is refused when the policy is written.
 */
export function policyVocabulary(activities: readonly Activity[]): Vocabulary {
  const params: Record<string, Type> = {}
  const keywords: Record<string, Type> = {}
  for (const activity of activities) {
    addAll(params, activity.params?.types ?? {}, activity.operation)
    addAll(keywords, activity.namespaces ?? {}, activity.operation)
  }
  const about = {
    type: string,
    kind: string,
    resource: string,
    action: string,
    organization_id: string,
    params: struct(params),
  }
  return { ...keywords, activity: struct(about) }
}

/** The facts that policies may look at for one request: of this activity, about this organization. */
export function activityFacts(
  activity: Activity,
  { type, organizationId, newest }: Pick<Submission, 'type' | 'organizationId' | 'newest'>,
): Facts {
  const { resource, action } = activity
  return {
    activity: {
      type,
      kind: kindOf(type),
      resource,
      action,
      organization_id: organizationId,
      params: activity.params?.of(newest) ?? {},
    },
  }
}

/** The same name must mean the same type wherever it is used. */
function addAll(to: Record<string, Type>, types: Vocabulary, operation: string): void {
  for (const [name, type] of Object.entries(types)) {
    const known = to[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(type))
      throw new Error(`${operation} gives the policy name ${name} another type than an activity before it`)
    to[name] = type
  }
}
