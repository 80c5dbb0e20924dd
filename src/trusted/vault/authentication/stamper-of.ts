import type { Identity } from './identify.ts'

type Stamper = { readonly userId: string; readonly homeId: string; readonly credentialId?: string }

/**
 * The credential of a stamp, for the host's record of last uses. Session keys and tokens expire by themselves, so they
 * are left out.
 */
export function stamperOf({
  user: { userId },
  compiled,
  credential,
}: Pick<Identity, 'user' | 'compiled' | 'credential'>): Stamper {
  const homeId = compiled.charter.organizationId
  return LASTING.has(credential.type) ? { userId, homeId, credentialId: credential.id } : { userId, homeId }
}

const LASTING: ReadonlySet<string> = new Set([
  'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR',
  'CREDENTIAL_TYPE_API_KEY_P256',
  'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  'CREDENTIAL_TYPE_API_KEY_ED25519',
])
