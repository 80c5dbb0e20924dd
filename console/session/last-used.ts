/** An organization that somebody has signed in to from this browser. */
type KnownOrganization = { readonly organizationId: string; readonly name: string }

/** The last ones first. */
export function lastUsed(): readonly KnownOrganization[] {
  const text = localStorage.getItem(PLACE)
  // Only `rememberOrganization` writes there.
  return text === null ? [] : (JSON.parse(text) as readonly KnownOrganization[])
}

export function rememberOrganization(known: KnownOrganization): void {
  const others = lastUsed().filter(({ organizationId }) => organizationId !== known.organizationId)
  localStorage.setItem(PLACE, JSON.stringify([known, ...others].slice(0, KNOWN_MAX)))
}

export function forgetOrganizations(): void {
  localStorage.removeItem(PLACE)
}

const PLACE = 'claviger.organizations'
const KNOWN_MAX = 8
