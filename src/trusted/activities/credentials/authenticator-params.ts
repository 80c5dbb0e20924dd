import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import type { Ms } from '../../base/world.ts'
import {
  boolean,
  label,
  list,
  object,
  oneOf,
  optional,
  text,
  type TypeOf,
  uuid,
} from '../../catalogue/shape.ts'
import type { VerificationMeans } from '../../catalogue/activity.ts'
import type { Authenticator } from '../../charter/charter.ts'
import {
  attestationOfCredential,
  type RegisteredPasskey,
  verifyAttestation,
} from '../../crypto/webauthn-attestation.ts'
import {
  attestationAuthDataMissing,
  attestationInvalid,
  attestationMissing,
  attestationUsed,
} from '../../crypto/webauthn-attestation-failures.ts'

const TRANSPORTS = [
  'AUTHENTICATOR_TRANSPORT_BLE',
  'AUTHENTICATOR_TRANSPORT_INTERNAL',
  'AUTHENTICATOR_TRANSPORT_NFC',
  'AUTHENTICATOR_TRANSPORT_USB',
  'AUTHENTICATOR_TRANSPORT_HYBRID',
] as const

// Empty text is accepted here; `verifyAttestation` then reports that the attestation is missing.
const base64url = text({ max: 32_768 })
const challenge = text({ min: 1, max: 256 })
/** 1,023 bytes (WebAuthn level 3, section 6.5.1) in base64url. */
const credentialId = text({ max: 1364 })
const transports = list(oneOf(TRANSPORTS), { max: 10 })
const attachment = optional(oneOf(['cross-platform', 'platform']))

/** `PublicKeyCredentialWithAttestation`: the fields of a browser's `PublicKeyCredential`. */
const credential = object({
  id: credentialId,
  type: oneOf(['public-key']),
  rawId: credentialId,
  authenticatorAttachment: attachment,
  response: object({
    clientDataJson: base64url,
    attestationObject: base64url,
    transports: optional(transports),
    authenticatorAttachment: attachment,
  }),
  clientExtensionResults: object({
    appid: optional(boolean),
    appidExclude: optional(boolean),
    credProps: optional(object({ rk: boolean })),
  }),
})

/** `AuthenticatorParams`. For a user who is being created, the id has no meaning. */
export const authenticatorParamsV1 = object({
  authenticatorName: label,
  userId: text({ max: 64 }),
  attestation: credential,
  challenge,
})

/** The same for an existing user. */
export const ownedAuthenticatorParamsV1 = object({
  authenticatorName: label,
  userId: uuid,
  attestation: credential,
  challenge,
})

/** `AuthenticatorParamsV2`. */
export const authenticatorParams = object({
  authenticatorName: label,
  challenge,
  attestation: object({
    credentialId,
    clientDataJson: base64url,
    attestationObject: base64url,
    transports,
  }),
})
type AuthenticatorParams = TypeOf<typeof authenticatorParams>

/** More than a user may have, so that exceeding the limit gives its own failure. */
export const AUTHENTICATORS_AT_ONCE_MAX = 20

export const attestationFailures = [
  attestationMissing,
  attestationAuthDataMissing,
  attestationInvalid,
  attestationUsed,
]

export function authenticatorUp(older: TypeOf<typeof authenticatorParamsV1>): AuthenticatorParams {
  const { authenticatorName, challenge: answered, attestation } = older
  // All transports of the older form are transports of the newer form too.
  const { transports: named = [] } = attestation.response
  return {
    authenticatorName,
    challenge: answered,
    attestation: { ...attestationOfCredential(attestation), transports: named },
  }
}

/**
 * Verifies the attestations of these passkeys, in their order.
 *
 * @param means.origins  the origins where passkeys of the organization may be created; any origin when undefined
 * @throws  Failure, one of `attestationFailures`
 */
export async function registeredPasskeys(
  wanted: readonly AuthenticatorParams[],
  { origins, work }: Pick<VerificationMeans, 'origins' | 'work'>,
): Promise<readonly RegisteredPasskey[]> {
  const passkeys: RegisteredPasskey[] = []
  for (const { challenge: answered, attestation } of wanted) {
    const { length } = attestation.attestationObject
    // One after the other: each is read at once, and together they would delay all other requests.
    await work.step(costs.attestation + length * costs.attestationCharacter)
    passkeys.push(await verifyAttestation({ challenge: answered, attestation, origins }))
  }
  return passkeys
}

/** @param passkeys  the verified passkeys of `params`, in the same order */
export function newAuthenticators(made: {
  readonly params: readonly AuthenticatorParams[]
  readonly passkeys: readonly RegisteredPasskey[]
  readonly now: Ms
  readonly newId: () => string
}): readonly Authenticator[] {
  const { params, passkeys, now, newId } = made
  return params.map(({ authenticatorName }, index) => ({
    authenticatorId: newId(),
    authenticatorName,
    ...present(passkeys[index], 'the passkey that was verified'),
    createdAt: now,
    updatedAt: now,
  }))
}
