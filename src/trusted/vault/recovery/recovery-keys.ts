import { defineFailure, PERMISSION_DENIED } from '../../base/failure.ts'
import type { Activity } from '../../catalogue/activity.ts'
import { RECOVERY_SET_KEY } from '../../charter/credential-types.ts'
import { RECOVERY_ATTEMPT_FEATURE } from '../../charter/organization-recovery.ts'
import { askedOf } from '../authentication/asked-of.ts'

const recoveryKeyOnlyRecovers = defineFailure({
  kind: 'recoveryKeyOnlyRecovers',
  code: PERMISSION_DENIED,
  errorCode: 'REQUEST_NOT_AUTHORIZED',
  say: () => 'request not authorized: a recovery key may only recover its own user, with recover_user',
})

const recoverySetOnlyRecovers = defineFailure({
  kind: 'recoverySetOnlyRecovers',
  code: PERMISSION_DENIED,
  errorCode: 'REQUEST_NOT_AUTHORIZED',
  say: () =>
    `request not authorized: the key of a recovery set may only set ${RECOVERY_ATTEMPT_FEATURE}, with set_organization_feature`,
})

/**
 * A recovery key was mailed to a user who may have lost all other credentials, so it can only be used for
 * `recover_user`, for its own user; not for votes or queries, regardless of the user's rights. The key of a recovery
 * set can only begin and complete an attempt.
 *
 * @param asked   the requested activity, with its intent in the newest form; undefined for a query
 * @throws        Failures `recoveryKeyOnlyRecovers`, `recoverySetOnlyRecovers`
 */
export function checkRecoveryKey(
  {
    credential,
    user,
  }: {
    readonly credential: { readonly type: string }
    readonly user: { readonly userId: string }
  },
  asked: { readonly activity: Activity; readonly intent: unknown } | undefined,
): void {
  if (credential.type === RECOVERY_SET_KEY && !isAskedOfRecoverySet(asked)) throw recoverySetOnlyRecovers()
  if (credential.type !== 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256') return
  if (asked?.activity.operation !== 'recover_user') throw recoveryKeyOnlyRecovers()
  const { authority } = asked.activity
  const isOwn = authority.kind === 'ownCredentials' && authority.owner(asked.intent) === user.userId
  if (!isOwn) throw recoveryKeyOnlyRecovers()
}

function isAskedOfRecoverySet(asked: { readonly activity: Activity; readonly intent: unknown } | undefined) {
  return asked !== undefined && askedOf(asked) === 'recoverySet'
}
