import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Charter, SessionProfile } from './charter.ts'
import { limits, tooMany } from './limits.ts'

export const sessionProfileNotFound = defineFailure<{ readonly sessionProfileId: string }>({
  kind: 'sessionProfileNotFound',
  code: NOT_FOUND,
  say: ({ sessionProfileId }) => `could not find session profile ${sessionProfileId}`,
})

export const sessionProfileNameTaken = defineFailure<{ readonly sessionProfileName: string }>({
  kind: 'sessionProfileNameTaken',
  code: INVALID_ARGUMENT,
  say: ({ sessionProfileName }) =>
    `session profile label must be unique: there is a session profile named ${JSON.stringify(sessionProfileName)} already`,
})

/** @param owner  the top-level organization: sub-organizations have none of their own */
export function knownSessionProfile(owner: Charter, sessionProfileId: string): SessionProfile {
  const profile = owner.sessionProfiles.find(
    (sessionProfile) => sessionProfile.sessionProfileId === sessionProfileId,
  )
  if (profile === undefined) throw sessionProfileNotFound({ sessionProfileId })
  return profile
}

/** The charter with one more profile, whose scope has been checked by then. */
export function withSessionProfile(charter: Charter, profile: SessionProfile): Charter {
  const { sessionProfiles } = charter
  const { sessionProfileName } = profile
  if (sessionProfiles.some((sessionProfile) => sessionProfile.sessionProfileName === sessionProfileName))
    throw sessionProfileNameTaken({ sessionProfileName })
  if (sessionProfiles.length >= limits.sessionProfiles)
    throw tooMany({ what: 'session profiles', max: limits.sessionProfiles })
  return { ...charter, sessionProfiles: [...sessionProfiles, profile] }
}
