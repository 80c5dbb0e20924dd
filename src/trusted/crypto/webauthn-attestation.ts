import type { verifyRegistrationResponse } from '@simplewebauthn/server'
import type { decodeAttestationObject } from '@simplewebauthn/server/helpers'
import { present } from '../base/assert.ts'
import { fromBase64url, fromHex, toBase64url, utf8 } from '../base/bytes.ts'
import {
  attestationAuthDataMissing,
  attestationInvalid,
  attestationMissing,
} from './webauthn-attestation-failures.ts'
import { isOriginAllowed, normalChallenge, readClientData } from './webauthn-client-data.ts'
import { USUAL_EXPONENT } from './rsa-key.ts'
import { passkeyVerifyKey } from './webauthn-cose.ts'

/** The registration of a passkey as a client sends it; the first three fields are base64url. */
export type Attestation = {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** The first form of the same: the fields of a browser's `PublicKeyCredential`. */
type PublicKeyCredentialWithAttestation = {
  readonly rawId: string
  readonly response: {
    readonly clientDataJson: string
    readonly attestationObject: string
    readonly transports?: readonly string[]
  }
}

export type RegisteredPasskey = {
  /** base64url without padding, as stamps have it, for the look-up. */
  readonly credentialId: string
  /** COSE_Key, base64url; `passkeyVerifyKey` reads it. */
  readonly publicKey: string
  /** 16 bytes, base64url; all zero where the authenticator does not name its model. */
  readonly aaguid: string
  /** The attestation statement's format, such as `none`. */
  readonly attestationType: string
  readonly transports: readonly string[]
  /** Always empty: the name of the model is known only to the FIDO metadata service. */
  readonly model: string
}

/**
 * Checks the registration of a passkey (WebAuthn level 3, section 7.1). The service issues no challenge and is bound to
 * no RP ID, so those parts are not checked. Statements are checked for consistency and not traced to a vendor
 * (docs/decisions/webauthn.md).
 *
 * @param sent.challenge  the challenge the client says it used: base64url, or 64 hex digits from React Native
 * @param sent.origins    allowed origins, compared exactly; any when undefined
 * @throws  Failure `attestationMissing`, `attestationAuthDataMissing` or `attestationInvalid`
 */
export async function verifyAttestation(sent: {
  readonly challenge: string
  readonly attestation: Attestation | undefined
  readonly origins?: readonly string[] | undefined
}): Promise<RegisteredPasskey> {
  const { challenge, attestation, origins } = sent
  if (attestation === undefined) throw attestationMissing()
  const credentialId = requiredBytes(attestation, 'credentialId')
  const clientDataJson = requiredBytes(attestation, 'clientDataJson')
  const attestationObject = requiredBytes(attestation, 'attestationObject')

  const clientData = readClientData(clientDataJson)
  if (clientData === undefined) throw attestationInvalid({ why: 'clientDataJson is not client data' })
  if (clientData.type !== 'webauthn.create')
    throw attestationInvalid({ why: 'clientDataJson is not of type webauthn.create' })
  if (!challengesOf(challenge).includes(normalChallenge(clientData.challenge))) {
    throw attestationInvalid({ why: 'challenge is not the one in clientDataJson' })
  }
  if (!isOriginAllowed(clientData.origin, origins)) {
    throw attestationInvalid({ why: `origin ${JSON.stringify(clientData.origin)} is not allowed` })
  }
  const library = await webauthnLibrary()
  requireCheckable(library, attestationObject)

  const id = toBase64url(credentialId)
  const info = await registrationInfo(library, {
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: toBase64url(clientDataJson),
        attestationObject: toBase64url(attestationObject),
      },
      clientExtensionResults: {},
    },
    // Both were compared above, by our own rules.
    expectedChallenge: clientData.challenge,
    expectedOrigin: clientData.origin,
    requireUserVerification: false,
    supportedAlgorithmIDs: [-7, -257],
  })
  if (info.credential.id !== id)
    throw attestationInvalid({ why: 'credentialId is not the one in attestationObject' })
  const key = passkeyVerifyKey(info.credential.publicKey)
  const { publicExponent = BigInt(USUAL_EXPONENT) } = key?.key.asymmetricKeyDetails ?? {}
  if (key === undefined || publicExponent < USUAL_EXPONENT) {
    throw attestationInvalid({
      why: 'the public key is neither P-256 for ES256 nor RSA of 2048 to 4096 bits for RS256, with an exponent of 65537 or more',
    })
  }
  return {
    credentialId: id,
    publicKey: toBase64url(info.credential.publicKey),
    aaguid: toBase64url(present(fromHex(info.aaguid.replaceAll('-', '')), 'an AAGUID as a UUID')),
    attestationType: info.fmt,
    transports: attestation.transports,
    model: '',
  }
}

/** The first form of an attestation in the words of the second. */
export function attestationOfCredential(credential: PublicKeyCredentialWithAttestation): Attestation {
  const { clientDataJson, attestationObject, transports } = credential.response
  return { credentialId: credential.rawId, clientDataJson, attestationObject, transports: transports ?? [] }
}

type Library = {
  readonly verify: typeof verifyRegistrationResponse
  readonly decode: typeof decodeAttestationObject
}

/**
 * Imported with the first passkey: the library takes some 20 MB, in the host as well, which never checks an
 * attestation.
 */
async function webauthnLibrary(): Promise<Library> {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { verify: server.verifyRegistrationResponse, decode: helpers.decodeAttestationObject }
}

type RegistrationOptions = Parameters<typeof verifyRegistrationResponse>[0]
type RegistrationInfo = NonNullable<
  Awaited<ReturnType<typeof verifyRegistrationResponse>>['registrationInfo']
>

function requiredBytes(attestation: Attestation, field: keyof typeof LENGTHS_MAX): Uint8Array {
  const text = attestation[field]
  if (text === '') throw attestationMissing()
  const bytes = text.length > LENGTHS_MAX[field] ? undefined : fromBase64url(text)
  if (bytes === undefined) {
    throw attestationInvalid({ why: `${field} is not base64url of at most ${LENGTHS_MAX[field]} characters` })
  }
  return bytes
}

// A TPM statement with its certificates has about 8,000 characters.
const LENGTHS_MAX = { credentialId: 32_768, clientDataJson: 32_768, attestationObject: 16_384 } as const

/**
 * The texts that client data may have for the given challenge. React Native gives hex digits and passes the same text
 * to the platform, which reads it as base64, as hexadecimal or as plain text.
 */
function challengesOf(challenge: string): readonly string[] {
  const digits = /^[0-9a-fA-F]{64}$/.test(challenge) ? fromHex(challenge) : undefined
  const asSent = normalChallenge(challenge)
  return digits === undefined ? [asSent] : [asSent, toBase64url(digits), toBase64url(utf8(challenge))]
}

/**
 * Formats that can be checked without the network and without a list of vendors; for the others the library fetches
 * revocation lists.
 */
const CHECKABLE_FORMATS: readonly string[] = ['none', 'packed', 'fido-u2f', 'tpm']

function requireCheckable(library: Library, attestationObject: Uint8Array): void {
  const { format, hasAuthData, certificates } = outline(library, attestationObject)
  if (!hasAuthData) throw attestationAuthDataMissing()
  if (typeof format !== 'string' || !CHECKABLE_FORMATS.includes(format))
    throw attestationInvalid({ why: `the format must be one of ${CHECKABLE_FORMATS.join(', ')}` })
  if (certificates.some(({ length }) => length > CERTIFICATE_BYTES_MAX))
    throw attestationInvalid({ why: `a certificate has more than ${CERTIFICATE_BYTES_MAX} bytes` })
}

/** The library needed a tenth of a second for a certificate with 18,000 bytes of names. */
const CERTIFICATE_BYTES_MAX = 4_096

function outline(
  library: Library,
  attestationObject: Uint8Array,
): {
  readonly format: unknown
  readonly hasAuthData: boolean
  readonly certificates: readonly Uint8Array[]
} {
  try {
    const object = library.decode(Uint8Array.from(attestationObject))
    const statement: unknown = object.get('attStmt')
    const listed: unknown = statement instanceof Map ? statement.get('x5c') : undefined
    return {
      format: object.get('fmt'),
      hasAuthData: object.get('authData') !== undefined,
      certificates: Array.isArray(listed) ? listed.filter((item) => item instanceof Uint8Array) : [],
    }
  } catch {
    // The library throws plain errors, and its only input is the caller's.
    throw attestationInvalid({ why: 'attestationObject is not a CBOR map' })
  }
}

async function registrationInfo(library: Library, options: RegistrationOptions): Promise<RegistrationInfo> {
  const info = await library.verify(options).then(
    (result) => result.registrationInfo,
    // The library throws plain errors, and only the caller's part of its input varies.
    () => undefined,
  )
  if (info === undefined) throw attestationInvalid({ why: 'attestationObject does not verify' })
  return info
}
