import { present } from '../../base/assert.ts'
import { object, optional, text } from '../../catalogue/shape.ts'
import { lookupValue } from '../../charter/directory.ts'
import { type OidcToken, peekOidcToken, verifyOidcToken } from '../../crypto/oidc-token.ts'
import { invalidOidcToken } from '../../crypto/oidc-token-failures.ts'
import { p256VerifyKey } from '../../crypto/p256.ts'
import { readVerificationToken } from '../../crypto/verification-token.ts'
import { proofRequired } from './failures.ts'
import { endpoint, type Proxied } from './proxied.ts'

const CONTACT_FILTERS = ['EMAIL', 'PHONE_NUMBER'] as const

/** The one issuer whose word about an address is taken; the address must be marked verified in its token. */
const TRUSTED_ISSUER = 'https://accounts.google.com'

/**
 * Which sub-organization somebody has, if any. Whether there is one for a contact is told only to who proves that the contact is
 * theirs: anybody may call this. Of several it is the first that was made.
 */
export const account = endpoint(
  object({
    filterType: text({ max: 64 }),
    filterValue: text({ max: 16_384 }),
    verificationToken: optional(text({ max: 16_384 })),
    oidcToken: optional(text({ max: 16_384 })),
  }),
  async ({ filterType, filterValue, verificationToken = '', oidcToken = '' }, proxied) => {
    const isContact = CONTACT_FILTERS.some((one) => one === filterType)
    if (isContact) {
      const contact: Contact = { filterType, filterValue }
      if (verificationToken !== '') await checkVerificationToken(verificationToken, contact, proxied)
      else if (oidcToken !== '') await checkOidcToken(oidcToken, contact, proxied)
      else throw proofRequired({ filterType })
    }
    const operation = isContact ? 'list_verified_suborgs' : 'list_suborgs'
    const { organizationIds } = await proxied.member.query(operation, { filterType, filterValue })
    const [organizationId] = Array.isArray(organizationIds) ? organizationIds : []
    return organizationId === undefined ? {} : { organizationId }
  },
)

type Contact = { readonly filterType: string; readonly filterValue: string }

async function checkVerificationToken(
  jwt: string,
  { filterType, filterValue }: Contact,
  { config, host }: Proxied,
): Promise<void> {
  const { otp } = await host.vault.serviceKeys()
  const key = present(p256VerifyKey(otp), 'a key that the vault has told')
  const token = await readVerificationToken(jwt, key, host.world.now())
  const type = token.verificationType === 'OTP_TYPE_SMS' ? 'PHONE_NUMBER' : 'EMAIL'
  const isTheirs = type === filterType && isSame(type, token.contact, filterValue)
  if (!isTheirs || token.organizationId !== config.organizationId) throw proofRequired({ filterType })
}

/** For linking an account elsewhere to one's own: the address must be the one in a token that was issued for this application. */
async function checkOidcToken(
  jwt: string,
  { filterType, filterValue }: Contact,
  proxied: Proxied,
): Promise<void> {
  const { config } = proxied
  const named = peekOidcToken(jwt)
  if (named?.issuer !== TRUSTED_ISSUER || !Object.values(config.oauthClientIds).includes(named.audience))
    throw proofRequired({ filterType })
  const token = await verified(jwt, named, proxied)
  const isTheirs = filterType === 'EMAIL' && isSame('EMAIL', token.email ?? '', filterValue)
  if (!isTheirs || token.emailVerified !== true) throw proofRequired({ filterType })
}

async function verified(
  jwt: string,
  { issuer, kid }: { readonly issuer: string; readonly kid?: string },
  { host }: Proxied,
): Promise<OidcToken> {
  const keys = await host.outside({ about: 'issuerKeys', issuer, ...(kid === undefined ? {} : { kid }) })
  if (keys.kind === 'failed') throw invalidOidcToken({ why: 'the keys of its issuer could not be had' })
  return await verifyOidcToken(jwt, keys.text, { now: host.world.now(), issuer })
}

function isSame(kind: 'EMAIL' | 'PHONE_NUMBER', one: string, other: string): boolean {
  return lookupValue(kind, one) === lookupValue(kind, other)
}
