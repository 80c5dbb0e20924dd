import { defineFailure, UNAUTHENTICATED } from '../../trusted/base/failure.ts'
import { type LookupKind, lookupValue, oidcIdentity, walletLogin } from '../../trusted/charter/directory.ts'
import { isOfHolder } from '../../trusted/charter/proven-credential.ts'
import { peekOidcToken } from '../../trusted/crypto/oidc-token.ts'
import { requireOneStamp, type Stamp } from '../../trusted/crypto/stamp.ts'
import { peekVerificationToken } from '../../trusted/crypto/verification-token.ts'
import type { Host } from './host.ts'
import { type Asked, signerOf } from './signer-of.ts'

export const ambiguousCredential = defineFailure<{ readonly what: string }>({
  kind: 'ambiguousCredential',
  code: UNAUTHENTICATED,
  errorCode: 'CREDENTIAL_CONFLICT',
  say: ({ what }) =>
    `more than one suborg associated with a ${what}: send the organizationId of the one that is meant`,
})

/**
 * The one sub-organization to which the signer of the stamp belongs: by the credential, by the contact that a
 * verification token proves, or by an identity elsewhere. Nothing is trusted here; the vault verifies the stamp
 * afterwards.
 *
 * Several organizations may have registered one credential, because a public key is not secret. Then only those count
 * under which the stamp verifies. Of these, an organization in which the credential has been proven comes first. After
 * it comes the first organization that never had another way in, because no attacker gains anything by founding such a
 * one (docs/decisions/same-credential.md).
 */
export async function subOrganizationOf(
  host: Pick<Host, 'store' | 'charters' | 'vault'>,
  parentId: string,
  asked: Asked,
): Promise<string | undefined> {
  const lookup = lookupOf(requireOneStamp(asked.stamp))
  if (lookup === undefined) return undefined
  const { kind, provenKind, what } = lookup
  const found = await holdersOf(host, parentId, kind, lookup.value)
  const [only, ...more] = found
  // The directory is not an authority: an entry may name an organization that does not exist, and this id is then not
  // revealed.
  if (more.length === 0)
    return only !== undefined && (await host.charters.get(only, false)) !== undefined ? only : undefined
  if (provenKind === undefined) throw ambiguousCredential({ what })
  const verifiedOf = async (of: LookupKind): Promise<readonly string[]> =>
    await verifiedBy(host, asked, of === kind ? found : await holdersOf(host, parentId, of, lookup.value))
  const proven = await verifiedOf(provenKind)
  if (proven.length > 1) throw ambiguousCredential({ what })
  const [sole] = proven.length === 0 && kind === 'PUBLIC_KEY' ? await verifiedOf('SOLE_PUBLIC_KEY') : []
  const known = proven[0] ?? sole
  if (known !== undefined) return known
  const all = await verifiedOf(kind)
  if (all.length > 1) throw ambiguousCredential({ what })
  return all[0]
}

/**
 * The sub-organization of the holder of this key, as far as it can be found without a stamp. A mere registrant does not
 * count as the holder.
 */
export async function subOrganizationOfKey(
  host: Pick<Host, 'store' | 'checked'>,
  parentId: string,
  publicKey: string,
): Promise<string | undefined> {
  const key = lookupValue('PUBLIC_KEY', publicKey)
  const kinds = ['PROVEN_PUBLIC_KEY', 'SOLE_PUBLIC_KEY', 'PUBLIC_KEY'] as const
  for (const kind of kinds) {
    const [own] = await host.checked.pickFrom(await holdersOf(host, parentId, kind, key), (charter) =>
      charter.parentId === parentId && !charter.deleted && isOfHolder(charter, key)
        ? [charter.organizationId]
        : [],
    )
    if (own !== undefined) return own
  }
  return undefined
}

/** At most so many organizations are examined for a request. */
const CANDIDATES_MAX = 20
/** After every id in the order of their bytes. */
const END_OF_IDS = 'g'

/**
 * If there are too many, the first half is of the oldest and the second half of the newest. With the oldest alone, a
 * stranger could register the key of somebody's wallet so often that the organization of its holder is never examined.
 */
async function holdersOf(
  { store }: Pick<Host, 'store'>,
  scope: string,
  kind: LookupKind,
  value: string,
): Promise<readonly string[]> {
  const key = { scope, kind, value: lookupValue(kind, value) }
  const oldest = await store.find(key, { limit: CANDIDATES_MAX })
  if (oldest.length < CANDIDATES_MAX) return oldest
  const newest = await store.find(key, { limit: CANDIDATES_MAX / 2, before: END_OF_IDS })
  return [...new Set([...oldest.slice(0, CANDIDATES_MAX / 2), ...newest])]
}

/**
 * Regardless of the client's address: an allowlist of addresses protects the target organization, not the search for
 * it.
 */
async function verifiedBy(
  host: Pick<Host, 'charters' | 'vault'>,
  { body, stamp }: Asked,
  organizationIds: readonly string[],
): Promise<readonly string[]> {
  const verified = await Promise.all(
    organizationIds.map(async (organizationId) => {
      const signer = await signerOf(host, { body, stamp }, organizationId)
      return signer.kind === 'signer' && signer.organizationId === organizationId ? [organizationId] : []
    }),
  )
  return verified.flat()
}

type Lookup = {
  readonly kind: LookupKind
  readonly provenKind?: LookupKind
  readonly value: string
  readonly what: string
}

function lookupOf(stamp: Stamp): Lookup | undefined {
  if (stamp.kind === 'session') return undefined
  if (stamp.kind === 'webauthn')
    return {
      kind: 'CREDENTIAL_ID',
      provenKind: 'PROVEN_CREDENTIAL_ID',
      value: stamp.credentialId,
      what: 'credential ID',
    }
  if (stamp.kind === 'apiKey')
    return {
      kind: 'PUBLIC_KEY',
      provenKind: 'PROVEN_PUBLIC_KEY',
      value: stamp.publicKey,
      what: 'public key',
    }
  if (stamp.scheme === 'STAMP_ATTESTED_SCHEME_P256_OIDC') {
    const identity = peekOidcToken(stamp.publicKeyAttestation)
    return identity && { kind: 'OIDC_IDENTITY', value: oidcIdentity(identity), what: 'identity' }
  }
  const token = peekVerificationToken(stamp.publicKeyAttestation)
  if (token === undefined) return undefined
  if (token.wallet !== undefined) {
    const { verificationType: type, contact: address, wallet } = token
    return { kind: 'PROVEN_WALLET', value: walletLogin({ type, address, ...wallet }), what: 'wallet' }
  }
  return token.verificationType === 'OTP_TYPE_EMAIL'
    ? { kind: 'VERIFIED_EMAIL', value: token.contact, what: 'verified email address' }
    : { kind: 'VERIFIED_PHONE_NUMBER', value: token.contact, what: 'verified phone number' }
}
