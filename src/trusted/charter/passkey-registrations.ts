import { hash } from 'node:crypto'
import { present } from '../base/assert.ts'
import { fromBase64url } from '../base/bytes.ts'
import { passkeyVerifyKey } from '../crypto/webauthn-cose.ts'
import type { Authenticator, Charter } from './charter.ts'

/**
 * The registration of a passkey, anywhere in the service: `value` names the registration, and `target` is the
 * authenticator that it became.
 */
type PasskeyRegistration = { readonly value: string; readonly target: string }

/**
 * The passkeys that come with an amendment, or with a new organization. A registration is known by its key, whose
 * digest is `value`. In a statement of the format `none` nobody has signed the rest: an attacker who sends it again can
 * put another challenge, another credential id or another order of parameters. An honest authenticator makes a new key
 * for each registration, so that the same key never comes again.
 */
export function passkeyRegistrations(
  before: Charter | undefined,
  after: Charter,
): readonly PasskeyRegistration[] {
  const known = new Set(
    before === undefined ? [] : passkeysOf(before).map((passkey) => passkey.authenticatorId),
  )
  return passkeysOf(after)
    .filter(({ authenticatorId }) => !known.has(authenticatorId))
    .map(({ authenticatorId, publicKey }) => ({ value: digestOf(publicKey), target: authenticatorId }))
}

function passkeysOf({ users }: Charter): readonly Authenticator[] {
  return users.flatMap(({ authenticators }) => authenticators)
}

/**
 * The digest of the one DER form of a key (RFC 5280, section 4.1.2.7), which is the same for every COSE_Key of that
 * key.
 */
function digestOf(publicKey: string): string {
  const coseKey = present(fromBase64url(publicKey), 'the key of a passkey in base64url')
  const { key } = present(passkeyVerifyKey(coseKey), 'the key of a passkey that was verified')
  return hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex')
}
