import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import type { StampHeader } from './stamper.ts'

type AuthenticatorSpec = {
  readonly randomBytes: (length: number) => Uint8Array
  readonly algorithm?: 'ES256' | 'RS256'
  readonly rpId?: string
  /** 65537 unless given. */
  readonly rsaExponent?: number
  /** 32 bytes unless given. */
  readonly credentialIdLength?: number
}

/** The attestation as the published clients send it: base64url without padding. */
export type SentAttestation = {
  readonly credentialId: string
  readonly clientDataJson: string
  readonly attestationObject: string
  readonly transports: readonly string[]
}

/** What a test may bend. `clientData` fields replace those of an honest browser; `tail` follows the counter. */
export type Bending = {
  readonly clientData?: Readonly<Record<string, unknown>>
  readonly clientDataText?: string
  readonly flags?: number
  readonly tail?: Uint8Array
}

export type SoftwareAuthenticator = {
  readonly credentialId: string
  /** COSE_Key, base64url: what is stored at registration. */
  readonly publicKey: string
  /** @param challenge  base64url text as a browser puts it into the client data */
  readonly register: (challenge: string, origin: string, bending?: Bending) => SentAttestation
  /** The header of a passkey stamp over exactly these bytes. */
  readonly assert: (body: Uint8Array | string, origin: string, bending?: Bending) => StampHeader
}

/** A passkey without hardware. RS256 keys come from node:crypto and not from `randomBytes`. */
export function createAuthenticator(spec: AuthenticatorSpec): SoftwareAuthenticator {
  const { privateKey, coseKey } =
    spec.algorithm === 'RS256' ? rsaKey(spec.rsaExponent) : ecKey(spec.randomBytes)
  const credentialId = Buffer.from(spec.randomBytes(spec.credentialIdLength ?? 32))
  const rpIdHash = sha256(Buffer.from(spec.rpId ?? 'localhost'))

  return {
    credentialId: credentialId.toString('base64url'),
    publicKey: coseKey.toString('base64url'),
    register(challenge, origin, bending = {}) {
      const clientData = clientDataOf({ type: 'webauthn.create', challenge, origin }, bending)
      const idLength = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff])
      const credential = Buffer.concat([Buffer.alloc(16), idLength, credentialId, coseKey])
      const authData = authDataOf(rpIdHash, 0x45, { tail: credential, ...bending })
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      return {
        credentialId: credentialId.toString('base64url'),
        clientDataJson: clientData.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
      }
    },
    assert(body, origin, bending = {}) {
      const challenge = Buffer.from(sha256(Buffer.from(body)).toString('hex')).toString('base64url')
      const clientData = clientDataOf({ type: 'webauthn.get', challenge, origin }, bending)
      const authData = authDataOf(rpIdHash, 0x05, bending)
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)
      return {
        stampHeaderName: 'X-Stamp-Webauthn',
        stampHeaderValue: JSON.stringify({
          authenticatorData: authData.toString('base64url'),
          clientDataJson: clientData.toString('base64url'),
          credentialId: credentialId.toString('base64url'),
          signature: signature.toString('base64url'),
        }),
      }
    },
  }
}

type CredentialKey = { readonly privateKey: KeyObject; readonly coseKey: Buffer }

function ecKey(randomBytes: (length: number) => Uint8Array): CredentialKey {
  let scalar = randomBytes(32)
  while (!p256.utils.isValidSecretKey(scalar)) scalar = randomBytes(32)
  const point = Buffer.from(p256.getPublicKey(scalar, false))
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  const d = Buffer.from(scalar).toString('base64url')
  return {
    privateKey: createPrivateKey({ format: 'jwk', key: { ...jwk, d } }),
    // RFC 9053, section 7.1.1: kty EC2, alg ES256, crv P-256, x, y
    coseKey: cborMap([
      [cborInteger(1), cborInteger(2)],
      [cborInteger(3), cborInteger(-7)],
      [cborInteger(-1), cborInteger(1)],
      [cborInteger(-2), cborBytes(x)],
      [cborInteger(-3), cborBytes(y)],
    ]),
  }
}

function rsaKey(publicExponent = 65537): CredentialKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  return {
    privateKey,
    // RFC 8812, section 2, and RFC 8230, section 4: kty RSA, alg RS256, n, e
    coseKey: cborMap([
      [cborInteger(1), cborInteger(3)],
      [cborInteger(3), cborInteger(-257)],
      [cborInteger(-1), cborBytes(Buffer.from(n, 'base64url'))],
      [cborInteger(-2), cborBytes(Buffer.from(e, 'base64url'))],
    ]),
  }
}

function clientDataOf(honest: Readonly<Record<string, unknown>>, bending: Bending): Buffer {
  const text =
    bending.clientDataText ?? JSON.stringify({ ...honest, crossOrigin: false, ...bending.clientData })
  return Buffer.from(text)
}

/** WebAuthn level 3, section 6.1: RP ID hash (32) ‖ flags (1) ‖ counter (4) ‖ tail */
function authDataOf(rpIdHash: Uint8Array, honestFlags: number, bending: Bending): Buffer {
  const flags = Buffer.from([bending.flags ?? honestFlags])
  return Buffer.concat([rpIdHash, flags, Buffer.alloc(4), bending.tail ?? Buffer.alloc(0)])
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** RFC 8949: only what an authenticator writes, in the shortest form. */
export function cborMap(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}

export function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

export function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

export function cborText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([cborHead(3, bytes.length), bytes])
}

function cborHead(major: number, argument: number): Buffer {
  const top = major << 5
  if (argument < 24) return Buffer.from([top | argument])
  if (argument < 0x100) return Buffer.from([top | 24, argument])
  return Buffer.from([top | 25, argument >> 8, argument & 0xff])
}
