import type { Charter } from './charter.ts'

/** What `list_suborgs` can look for, and what a login with the parent's id resolves a sub-organization by. */
export type LookupKind =
  | 'SUB_ORGANIZATION'
  | 'NAME'
  | 'USERNAME'
  | 'EMAIL'
  | 'PHONE_NUMBER'
  | 'CREDENTIAL_ID'
  | 'PUBLIC_KEY'

export type Lookup = { readonly kind: LookupKind; readonly value: string }

/** How a sub-organization is found from its parent: computed from its charter and nothing else. A top-level one is not looked up. */
export function lookupsOf(charter: Charter): readonly Lookup[] {
  if (charter.parentId === null || charter.deleted) return []
  const found: Lookup[] = [
    { kind: 'SUB_ORGANIZATION', value: '' },
    { kind: 'NAME', value: charter.organizationName },
  ]
  for (const user of charter.users) {
    found.push({ kind: 'USERNAME', value: user.userName })
    if (user.userEmail !== undefined)
      found.push({ kind: 'EMAIL', value: lookupValue('EMAIL', user.userEmail) })
    if (user.userPhoneNumber !== undefined) found.push({ kind: 'PHONE_NUMBER', value: user.userPhoneNumber })
    for (const key of user.apiKeys) found.push({ kind: 'PUBLIC_KEY', value: key.publicKey })
    for (const authenticator of user.authenticators)
      found.push({ kind: 'CREDENTIAL_ID', value: authenticator.credentialId })
  }
  return unique(found)
}

/** The value as the directory holds it: e-mail addresses and hexadecimal keys are compared without regard to case. */
export function lookupValue(kind: LookupKind, value: string): string {
  return kind === 'EMAIL' || kind === 'PUBLIC_KEY' ? value.toLowerCase() : value
}

function unique(lookups: readonly Lookup[]): readonly Lookup[] {
  return [...new Map(lookups.map((lookup) => [`${lookup.kind} ${lookup.value}`, lookup])).values()]
}
