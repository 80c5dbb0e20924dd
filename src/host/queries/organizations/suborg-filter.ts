import { readJsonObject } from '../../../trusted/base/strict-json.ts'
import { invalidField, object, shown, text } from '../../../trusted/catalogue/shape.ts'
import {
  type Lookup,
  type LookupKind,
  lookupValue,
  oidcIdentity,
} from '../../../trusted/charter/directory.ts'
import { type OidcIdentity, peekOidcToken } from '../../../trusted/crypto/oidc-token.ts'
import { invalidOidcToken } from '../../../trusted/crypto/oidc-token-failures.ts'

/**
 * The look-up for a filter. An empty filter counts as absent, because some clients cannot omit a field.
 *
 * @throws Failure `invalidField`, also for an address of a wallet account: there is no index over those of all
 *         sub-organizations, and an empty list would say that none has the address
 */
export function lookupOfFilter(filterType = '', filterValue = ''): Lookup {
  if (filterType === '' && filterValue === '') return { kind: 'SUB_ORGANIZATION', value: '' }
  if (filterType === 'WALLET_ACCOUNT_ADDRESS')
    throw invalidField({
      field: 'filterType',
      problem: `must not be ${filterType} here: sub-organizations are not found by the addresses of their wallets; keep the ID of the sub-organization beside the address`,
    })
  const known = oneOfTypes(filters, filterType, filterValue)
  if (known === 'OIDC_TOKEN') return { kind: 'OIDC_IDENTITY', value: identityIn(filterValue) }
  if (known === 'OIDC_CLAIMS')
    return { kind: 'OIDC_IDENTITY', value: oidcIdentity(claimedIdentity(filterValue)) }
  return { kind: known, value: lookupValue(known, filterValue) }
}

/** The same for verified contacts; they cannot be listed without a filter. */
export function lookupOfContact(filterType = '', filterValue = ''): Lookup {
  const kind = `VERIFIED_${oneOfTypes(['EMAIL', 'PHONE_NUMBER'], filterType, filterValue)}` as const
  return { kind, value: lookupValue(kind, filterValue) }
}

const filters = [
  'CREDENTIAL_ID',
  'NAME',
  'USERNAME',
  'EMAIL',
  'PHONE_NUMBER',
  'PUBLIC_KEY',
  'OIDC_TOKEN',
  'OIDC_CLAIMS',
] as const satisfies readonly (LookupKind | 'OIDC_TOKEN' | 'OIDC_CLAIMS')[]

function oneOfTypes<const T extends string>(types: readonly T[], filterType: string, filterValue: string): T {
  if (filterType === '')
    throw invalidField({ field: 'filterType', problem: 'must be given with filterValue' })
  const known = types.find((type) => type === filterType)
  if (known === undefined)
    throw invalidField({
      field: 'filterType',
      problem: `must be one of ${types.join(', ')}, not ${shown(filterType)}`,
    })
  if (filterValue === '') throw invalidField({ field: 'filterValue', problem: 'must not be empty' })
  return known
}

/** The claims as published clients write them into a filter: JSON of `iss`, `sub` and `aud`. */
export function claimedIdentity(filterValue: string): OidcIdentity {
  const { iss: issuer, sub: subject, aud: audience } = claims.read(readJsonObject(filterValue), '', 'strict')
  return { issuer, audience, subject }
}

const claim = text({ min: 1, max: 1024 })
const claims = object({ iss: claim, sub: claim, aud: claim })

/** The look-up ignores the signature and the time of the token. */
function identityIn(token: string): string {
  const identity = peekOidcToken(token)
  if (identity === undefined)
    throw invalidOidcToken({ why: 'it is not a JWT with an issuer, a subject and exactly one audience' })
  return oidcIdentity(identity)
}
