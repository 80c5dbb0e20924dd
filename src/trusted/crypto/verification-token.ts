import { hash, type KeyObject } from 'node:crypto'
import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'
import { present } from '../base/assert.ts'
import { isJsonObject, type JsonObject } from '../base/strict-json.ts'
import type { Ms } from '../base/world.ts'
import { isHeader, readJwt, writeJwt } from './jwt.ts'
import { verifyP256P1363ByOneOf } from './p256.ts'
import type { Signer } from './signature.ts'

/**
 * Proves that its holder (or, bound to a key, the holder of the key) received a code at the contact, or had the wallet
 * sign a message for the key. The token of a wallet is always bound.
 */
export type VerificationToken = {
  readonly id: string
  /** The organization that had the contact verified. */
  readonly organizationId: string
  readonly verificationType: string
  /** An e-mail address, a number, or the address of the wallet. */
  readonly contact: string
  readonly wallet?: { readonly domain: string; readonly publicKey: string }
  /** The key to which the token is bound, in compressed lowercase hex. */
  readonly publicKey?: string
  readonly expiresAt: Ms
}

export const verificationTokenMalformed = defineFailure<{ readonly why: string }>({
  kind: 'verificationTokenMalformed',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid verification token: malformed: ${why}`,
})

export const verificationTokenSignatureNotVerified = defineFailure({
  kind: 'verificationTokenSignatureNotVerified',
  code: INVALID_ARGUMENT,
  say: () => 'invalid verification token: its signature does not verify',
})

export const verificationTokenExpired = defineFailure({
  kind: 'verificationTokenExpired',
  code: INVALID_ARGUMENT,
  say: () => 'invalid verification token: it has expired',
})

/**
 * An ES256 token (RFC 7518, section 3.4) with claims in the order that clients have seen, `exp` as decimal
 * milliseconds. An unbound token has no claim `public_key`. The published verifier requires a non-empty one, so it
 * verifies only bound tokens.
 */
export function signVerificationToken(token: VerificationToken, signer: Signer): string {
  const payload = token.wallet === undefined ? codeClaims(token) : walletClaims(token, token.wallet)
  return writeJwt({ header: HEADER, payload }, (signed) => signer.sign(hash('sha256', signed, 'buffer')))
}

function codeClaims(token: VerificationToken): JsonObject {
  const { publicKey } = token
  return {
    exp: String(token.expiresAt),
    id: token.id,
    organization_id: token.organizationId,
    verification_type: token.verificationType,
    contact: token.contact,
    ...(publicKey === undefined ? {} : { public_key: publicKey }),
  }
}

/** The claim names differ from those of a code's token, so that neither can be read as the other. */
function walletClaims(
  token: VerificationToken,
  { domain, publicKey }: NonNullable<VerificationToken['wallet']>,
): JsonObject {
  return {
    exp: String(token.expiresAt),
    id: token.id,
    organizationId: token.organizationId,
    sessionPublicKey: present(token.publicKey, 'the key that the token of a wallet is bound to'),
    publicKey,
    wallet: { type: token.verificationType, address: token.contact, domain },
  }
}

/**
 * Reads a token and verifies everything that it contains. The caller checks whether it was used before.
 *
 * @param keys  one of them is the signer's
 * @throws      Failures `verificationTokenMalformed`, `verificationTokenSignatureNotVerified`,
 *              `verificationTokenExpired`
 */
export async function readVerificationToken(
  jwt: string,
  keys: readonly KeyObject[],
  now: Ms,
): Promise<VerificationToken> {
  const parts = readJwt(jwt)
  if (parts === undefined) throw verificationTokenMalformed({ why: 'it is not a JWT in compact form' })
  if (!isHeader(parts.header, HEADER))
    throw verificationTokenMalformed({ why: 'its header must say JWT and ES256, and nothing else' })
  const token = readClaims(parts.payload)
  if (token === undefined)
    throw verificationTokenMalformed({ why: 'a claim is missing or of the wrong type' })
  if (!(await verifyP256P1363ByOneOf(keys, parts.signedBytes, parts.signature)))
    throw verificationTokenSignatureNotVerified()
  if (token.expiresAt <= now) throw verificationTokenExpired()
  return token
}

/** The claims without any verification, to look up the objects that they name; undefined when they do not parse. */
export function peekVerificationToken(jwt: string): VerificationToken | undefined {
  const parts = readJwt(jwt)
  return parts && readClaims(parts.payload)
}

const HEADER = { typ: 'JWT', alg: 'ES256' } as const

function readClaims(payload: JsonObject): VerificationToken | undefined {
  if (Object.hasOwn(payload, 'wallet')) return readWalletClaims(payload)
  const { exp, id, organization_id, verification_type, contact, public_key } = payload
  if (typeof exp !== 'string' || !DECIMAL.test(exp)) return undefined
  if (!isText(id) || !isText(organization_id) || !isText(verification_type) || !isText(contact))
    return undefined
  const claims = {
    id,
    organizationId: organization_id,
    verificationType: verification_type,
    contact,
    expiresAt: Number(exp),
  }
  if (!Object.hasOwn(payload, 'public_key')) return claims
  if (!isText(public_key) || !COMPRESSED_HEX.test(public_key)) return undefined
  return { ...claims, publicKey: public_key }
}

function readWalletClaims(payload: JsonObject): VerificationToken | undefined {
  const { exp, id, organizationId, sessionPublicKey, publicKey, wallet } = payload
  if (typeof exp !== 'string' || !DECIMAL.test(exp) || !isJsonObject(wallet)) return undefined
  const { type: verificationType, address: contact, domain } = wallet
  if (!isText(id) || !isText(organizationId) || !isText(sessionPublicKey) || !isText(publicKey))
    return undefined
  if (!isText(verificationType) || !isText(contact) || !isText(domain)) return undefined
  if (!COMPRESSED_HEX.test(sessionPublicKey)) return undefined
  return {
    id,
    organizationId,
    verificationType,
    contact,
    wallet: { domain, publicKey },
    publicKey: sessionPublicKey,
    expiresAt: Number(exp),
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

const DECIMAL = /^[1-9][0-9]{0,14}$/ // below 2^53
const COMPRESSED_HEX = /^0[23][0-9a-f]{64}$/
