import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { label, object, optional, refined, text, uuid } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import { sessionProfileNameTaken, withSessionProfile } from '../../charter/session-profiles.ts'
import { parseExpression } from '../../policy/expression.ts'
import type { Vocabulary } from '../../policy/types.ts'
import { expirationSecondsText } from '../credentials/expiration-seconds.ts'

const sessionScopeInvalid = defineFailure<{ readonly reason: string }>({
  kind: 'sessionScopeInvalid',
  code: INVALID_ARGUMENT,
  say: ({ reason }) => `invalid session profile scope: ${reason}`,
})

const onlyParentsHaveSessionProfiles = defineFailure<{ readonly organizationId: string }>({
  kind: 'onlyParentsHaveSessionProfiles',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is a sub-organization and uses the session profiles of its parent: create the profile there`,
})

// The name becomes the type of the session, where clients look for the types that are built in.
const sessionProfileName = refined(label, {
  problem: (value) =>
    value.startsWith('SESSION_TYPE_')
      ? 'must not begin with SESSION_TYPE_, as the built-in types do'
      : undefined,
})

// It is stored with every session key, so it must be short enough for a charter of a hundred users.
const SCOPE_CHARACTERS_MAX = 2_048
const NOTES_CHARACTERS_MAX = 4_096

/** A profile never changes, so a session keeps the limits that it was opened with. */
export const createSessionProfile = defineActivity({
  operation: 'create_session_profile',
  summary: 'Create a session profile: a scope to which sessions can be limited',
  forms: form(
    'ACTIVITY_TYPE_CREATE_SESSION_PROFILE',
    object({
      sessionProfileName,
      scope: text({ max: SCOPE_CHARACTERS_MAX }),
      // Without it, sessions of the profile have no shorter limit than others.
      expirationSeconds: optional(expirationSecondsText, 'emptyIsGiven'),
      notes: optional(text({ max: NOTES_CHARACTERS_MAX })),
    }),
    { key: 'createSessionProfileResult', shape: object({ sessionProfileId: uuid }) },
  ),
  resource: 'SESSION_PROFILE',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [sessionScopeInvalid, onlyParentsHaveSessionProfiles, sessionProfileNameTaken, tooMany],
  example: {
    intent: {
      sessionProfileName: 'Signs only',
      scope: "activity.action == 'SIGN'",
      expirationSeconds: '3600',
      notes: 'For the shop',
    },
    result: { sessionProfileId: '0198c5a0-7d3c-7000-8000-000000000006' },
  },
  validate: ({ scope }, vocabulary, work) => checkScope(scope, vocabulary, work),

  execute({ intent, charter, now, newId }) {
    if (charter.parentId !== null)
      throw onlyParentsHaveSessionProfiles({ organizationId: charter.organizationId })
    const { expirationSeconds, notes = '', ...rest } = intent
    const profile = {
      sessionProfileId: newId(),
      ...rest,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds: Number(expirationSeconds) }),
      ...(notes === '' ? {} : { notes }),
      createdAt: now,
      updatedAt: now,
    }
    return {
      result: { sessionProfileId: profile.sessionProfileId },
      charter: withSessionProfile(charter, profile),
    }
  },
})

/** The scope may use all fields of policy conditions. */
async function checkScope(scope: string, vocabulary: Vocabulary, work: Work): Promise<void> {
  await work.step(scope.length * costs.expressionCharacter)
  try {
    parseExpression(scope, vocabulary)
  } catch (error) {
    if (error instanceof Failure) throw sessionScopeInvalid({ reason: error.message })
    throw error
  }
}
