import { named, object, oneOf, text, uuid } from '../../../trusted/catalogue/shape.ts'
import type { Charter, Oauth2Credential } from '../../../trusted/charter/charter.ts'
import { timestamp } from '../../../trusted/charter/view.ts'
import { times } from '../shapes.ts'

export const oauth2CredentialShape = named(
  'Oauth2Credential',
  object({
    oauth2CredentialId: uuid,
    organizationId: uuid,
    provider: oneOf(['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD']),
    clientId: text({ max: 255 }),
    encryptedClientSecret: text({ max: 4096 }),
    ...times,
  }),
)

/** The secret is shown as it was sent: only the vault opens it. */
export function oauth2CredentialView(
  { organizationId }: Charter,
  { createdAt, updatedAt, ...credential }: Oauth2Credential,
) {
  return {
    ...credential,
    organizationId,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}
