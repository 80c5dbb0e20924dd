import { object, optional, text, uuid } from '../../trusted/catalogue/shape.ts'
import { lookupValue } from '../../trusted/charter/directory.ts'
import type { OidcIdentity } from '../../trusted/charter/holders.ts'
import { claimedIdentity } from '../queries/organizations/suborg-filter.ts'
import { subOrganizationOfKey } from '../pipeline/sub-organization-of.ts'
import { notLookedUp, proofRequired } from './failures.ts'
import { checkOwnClient, provenContact, provenIdentity } from './own-tokens.ts'
import { endpoint, type Proxied } from './proxied.ts'

/** The only issuer whose statement about an address is accepted; the token must mark the address as verified. */
const TRUSTED_ISSUER = 'https://accounts.google.com'

const body = object({
  filterType: text({ max: 64 }),
  filterValue: text({ max: 16_384 }),
  verificationToken: optional(text({ max: 16_384 })),
  oidcToken: optional(text({ max: 16_384 })),
})
type Lookup = ReturnType<typeof body.read>

/**
 * The sub-organization of a person, if any. Anyone may call this, so the answer is only given to a caller who proves to
 * be its user. A key and the id of a passkey prove nothing. If there are several sub-organizations, the answer is the
 * first that was made; for a registered key, it is that of the key's holder.
 */
export const account = endpoint(
  {
    summary: 'Find the sub-organization of a person',
    body,
    answer: object({ organizationId: optional(uuid) }),
  },
  async (lookup, proxied) => {
    const { filterType, filterValue } = lookup
    const operation = await provenLookup(lookup, proxied)
    if (operation === undefined) return {}
    const { organizationIds } = await proxied.member.query(operation, { filterType, filterValue })
    const [first] = Array.isArray(organizationIds) ? organizationIds : []
    const { host, config } = proxied
    const isRegistered = first !== undefined && filterType === 'PUBLIC_KEY'
    const organizationId = isRegistered
      ? await subOrganizationOfKey(host, config.organizationId, filterValue)
      : first
    return organizationId === undefined ? {} : { organizationId }
  },
)

type Operation = 'list_suborgs' | 'list_verified_suborgs'

/** The query to send; undefined if no query is sent, and the answer is the same for everyone. */
async function provenLookup(lookup: Lookup, proxied: Proxied): Promise<Operation | undefined> {
  const { filterType, filterValue } = lookup
  switch (filterType) {
    case 'EMAIL':
    case 'PHONE_NUMBER':
      await checkContact(lookup, proxied)
      return 'list_verified_suborgs'
    case 'OIDC_TOKEN':
      await provenIdentity(filterValue, proxied)
      return 'list_suborgs'
    case 'OIDC_CLAIMS':
      return (await areProven(lookup, proxied)) ? 'list_suborgs' : undefined
    case 'PUBLIC_KEY':
    case 'CREDENTIAL_ID':
      return 'list_suborgs'
    default:
      throw notLookedUp({ filterType })
  }
}

async function checkContact(lookup: Lookup, proxied: Proxied): Promise<void> {
  const { filterType, filterValue, verificationToken = '', oidcToken = '' } = lookup
  if (verificationToken !== '') {
    const token = await provenContact(verificationToken, proxied)
    const type = token.verificationType === 'OTP_TYPE_SMS' ? 'PHONE_NUMBER' : 'EMAIL'
    if (type !== filterType || !isSame(type, token.contact, filterValue)) throw proofRequired({ filterType })
    return
  }
  if (oidcToken === '') throw proofRequired({ filterType })
  const { issuer, email = '', emailVerified } = await provenIdentity(oidcToken, proxied)
  const isTheirs = issuer === TRUSTED_ISSUER && filterType === 'EMAIL' && isSame('EMAIL', email, filterValue)
  if (!isTheirs || emailVerified !== true) throw proofRequired({ filterType })
}

/**
 * Whether the claims are proven, by a token for another application of this configuration. Published clients ask
 * without a token before they add such claims to a user. They get the same answer as everyone, and the service makes
 * sure that claims alone find no user.
 */
async function areProven({ filterValue, oidcToken = '' }: Lookup, proxied: Proxied): Promise<boolean> {
  const claimed = claimedIdentity(filterValue)
  checkOwnClient(claimed, proxied.config)
  if (oidcToken === '') return false
  const token = await provenIdentity(oidcToken, proxied)
  if (!isSamePerson(token, claimed)) throw proofRequired({ filterType: 'OIDC_CLAIMS' })
  return true
}

function isSamePerson(oidcIdentity: OidcIdentity, other: OidcIdentity): boolean {
  return oidcIdentity.issuer === other.issuer && oidcIdentity.subject === other.subject
}

function isSame(kind: 'EMAIL' | 'PHONE_NUMBER', item: string, other: string): boolean {
  return lookupValue(kind, item) === lookupValue(kind, other)
}
