import { discoveredKey } from '../service/discovered-key.ts'

/**
 * The key that signs the bundles of exports and imports, as somebody has confirmed it in this browser; undefined
 * before. A host that names another one later is not believed.
 */
export function knownSigner(): string | undefined {
  return localStorage.getItem(PLACE) ?? undefined
}

export function confirmSigner(key: string): void {
  localStorage.setItem(PLACE, key)
}

/** The key that the host names: its word, until somebody has compared it. */
export async function namedSigner(): Promise<string> {
  return await discoveredKey('signer')
}

const PLACE = 'claviger.signer'
