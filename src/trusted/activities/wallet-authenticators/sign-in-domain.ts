/** A host as browsers report it, with a port where it is not the usual one: in lowercase, and in no second spelling. */
export function isSignInDomain(domain: string): boolean {
  const url = `https://${domain}`
  return domain.length <= DOMAIN_CHARACTERS_MAX && URL.canParse(url) && new URL(url).host === domain
}

export const DOMAIN_CHARACTERS_MAX = 255
