import { boolean, optional, refined, text } from '../../catalogue/shape.ts'
import { isUuid } from '../../base/ids.ts'
import { string } from '../../policy/types.ts'
import { expirationSecondsText } from '../credentials/expiration-seconds.ts'
import type { LoginIntent } from './session-key.ts'

const sessionProfileId = refined(text({ max: 64 }), {
  problem: (value) =>
    value === '' || isUuid(value) ? undefined : 'must be a UUID in lowercase, or empty for no profile',
})

/** The parameters of the session that a login opens; for the fields of an intent. `checkSessionKey` checks the key. */
export const loginParams = {
  publicKey: text({ max: 140 }),
  expirationSeconds: optional(expirationSecondsText),
  invalidateExisting: optional(boolean),
  sessionProfileId: optional(sessionProfileId),
}

/** `activity.params` of every login. */
export const loginFacts = {
  types: { session_profile_id: string },
  of: ({ sessionProfileId: profileId = '' }: LoginIntent) => ({
    session_profile_id: profileId,
  }),
}
