import { randomBytes } from 'node:crypto'
import { present } from '../../src/trusted/base/assert.ts'
import { fromHex } from '../../src/trusted/base/bytes.ts'
import {
  credentialBundle,
  exportBundle,
  importTargetBundle,
  type QuorumSigner,
} from '../../src/trusted/crypto/bundles.ts'
import { generateP256Secret, p256UncompressedKeyOf, readP256Key } from '../../src/trusted/crypto/p256.ts'

// Bundles as the vault makes them, for frames of which the test has the signer key.

export const ORGANIZATION = '11111111-1111-4111-8111-111111111111'
export const USER = '22222222-2222-4222-8222-222222222222'

/** @param to  what a frame gives as its public key */
export function exported(
  plaintext: Uint8Array,
  { to, signer, organizationId = ORGANIZATION }: Sealing & { readonly organizationId?: string },
): string {
  return exportBundle(plaintext, { receiver: receiver(to), organizationId }, signer, randomBytes)
}

type Sealing = { readonly to: string; readonly signer: QuorumSigner }

export function credential(scalar: Uint8Array, to: string): string {
  return credentialBundle(scalar, receiver(to), randomBytes)
}

/** The target of an import, and the secret that opens what is encrypted to it. */
export function importTarget(
  signer: QuorumSigner,
  whose = { organizationId: ORGANIZATION, userId: USER },
): { readonly bundle: string; readonly secret: Uint8Array } {
  const secret = generateP256Secret(randomBytes)
  const target = receiver(Buffer.from(p256UncompressedKeyOf(secret)).toString('hex'))
  return { bundle: importTargetBundle(target, whose, signer), secret }
}

/** A bundle with members changed, and signed anew where a signer is given. */
export function altered(bundle: string, change: object): string {
  // It was made just now, as an object of texts.
  const envelope = JSON.parse(bundle) as Readonly<Record<string, string>>
  return JSON.stringify({ ...envelope, ...change })
}

/** The content of a bundle with members changed, signed by this signer. */
export function resigned(bundle: string, signer: QuorumSigner, change: object): string {
  const { data = '' } = JSON.parse(bundle) as Readonly<Record<string, string>>
  const content: unknown = JSON.parse(Buffer.from(data, 'hex').toString())
  const bytes = Buffer.from(JSON.stringify(Object.assign({}, content, change)))
  return altered(bundle, {
    data: bytes.toString('hex'),
    dataSignature: Buffer.from(signer.signMessage(bytes)).toString('hex'),
    enclaveQuorumPublic: signer.publicKey,
  })
}

function receiver(publicKey: string) {
  present(fromHex(publicKey), 'a key in hex')
  return present(readP256Key(publicKey), 'a public key of a frame')
}
