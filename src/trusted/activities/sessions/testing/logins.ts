import assert from 'node:assert/strict'
import { after } from 'node:test'
import { decryptCredentialBundle, verifySessionJwtSignature } from '@turnkey/crypto'
import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Secret } from '../../../base/secret.ts'
import { p256Signer } from '../../../crypto/p256.ts'
import { signVerificationToken, type VerificationToken } from '../../../crypto/verification-token.ts'
import { openKeyring } from '../../../vault/keys/keyring.ts'
import {
  aService,
  type JsonAnswer,
  type Member,
  type Response,
  type TestService,
} from '../../../../../test/support/service.ts'
import type { StampKey } from '../../../../../test/support/stamper.ts'

const services: TestService[] = []
after(async () => await Promise.all(services.map(async (service) => await service.close())))

export async function started(): Promise<TestService> {
  const service = await aService()
  services.push(service)
  return service
}

/** A sub-organization with these users, all of them root users of whom one suffices; each is answered as a member. */
export async function aSubOrganizationOf(
  service: TestService,
  users: readonly { readonly userName: string; readonly key?: StampKey; readonly [field: string]: unknown }[],
  more: object = {},
): Promise<readonly Member[]> {
  const keyed = users.map(({ key = service.newKey(), ...user }) => ({ key, user }))
  const { subOrganizationId, rootUserIds } = await service.done(
    service.root,
    'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    {
      subOrganizationName: 'Customer',
      rootUsers: keyed.map(({ key, user }) => ({
        apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
        authenticators: [],
        oauthProviders: [],
        ...user,
      })),
      rootQuorumThreshold: 1,
      ...more,
    },
  )
  return keyed.map(({ key }, index) => ({
    organizationId: subOrganizationId,
    userId: rootUserIds[index],
    key,
  }))
}

/** The claims of a session token that the published client verifies; they are read as browsers read them. */
export async function sessionClaims(service: TestService, session: string): Promise<JsonAnswer> {
  const { session: notarizer } = await service.vault.serviceKeys()
  assert.equal(await verifySessionJwtSignature(session, notarizer), true)
  // Without the alphabet of URLs, as published clients do.
  const claims = JSON.parse(atob(session.split('.')[1] ?? ''))
  for (const name of ['exp', 'public_key', 'session_type', 'user_id', 'organization_id'])
    assert.ok(claims[name], `${name} is there`)
  return claims
}

/** A new key of the member's, logged in: what stamps with it stamps with the session. */
export async function loggedIn(service: TestService, member: Member, more: object = {}): Promise<Member> {
  const key = service.newKey()
  await service.done(member, 'ACTIVITY_TYPE_STAMP_LOGIN', { publicKey: key.publicKey, ...more })
  return { ...member, key }
}

/** The pair that a credential bundle is encrypted to, as published clients make it. */
export function aTarget(service: TestService): { readonly publicKey: string; readonly privateKey: string } {
  const { privateKey } = service.newKey()
  return {
    publicKey: Buffer.from(p256.getPublicKey(privateKey, false)).toString('hex'),
    privateKey: Buffer.from(privateKey).toString('hex'),
  }
}

/** The key in a bundle, opened by the published client. */
export function keyInBundle(bundle: string, target: { readonly privateKey: string }): StampKey {
  const privateKey = Buffer.from(decryptCredentialBundle(bundle, target.privateKey), 'hex')
  const publicKey = Buffer.from(p256.getPublicKey(privateKey, true)).toString('hex')
  return { scheme: 'SIGNATURE_SCHEME_TK_API_P256', privateKey, publicKey }
}

// The root key of every service in these tests.
const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(7)) }])

/** A verification token as `verify_otp` gives it. */
export function aToken(
  service: TestService,
  of: Partial<VerificationToken> & Pick<VerificationToken, 'organizationId' | 'contact'>,
): string {
  const id = Buffer.from(service.world.randomBytes(16)).toString('hex')
  const token: VerificationToken = {
    id: `${id.slice(0, 8)}-${id.slice(8, 12)}-7${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20)}`,
    verificationType: 'OTP_TYPE_EMAIL',
    expiresAt: service.world.now() + 3_600_000,
    ...of,
  }
  return signVerificationToken(token, p256Signer(keyring.serviceSecret('otp')))
}

/** Submits with a stamp that is attested by a verification token instead of a registered key. */
export async function submitAttested(
  service: TestService,
  by: { readonly token: string; readonly key: StampKey; readonly organizationId: string },
  type: string,
  parameters: object,
): Promise<Response> {
  service.world.advance(1)
  const { token, key, organizationId } = by
  const body = JSON.stringify({
    type,
    timestampMs: String(service.world.now()),
    organizationId,
    parameters,
  })
  const signature = p256.sign(sha256(Buffer.from(body)), key.privateKey, { prehash: false, format: 'der' })
  const stamp = {
    publicKeyAttestation: token,
    scheme: 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN',
    publicKey: key.publicKey,
    signature: Buffer.from(signature).toString('hex'),
  }
  const operation = type.replace('ACTIVITY_TYPE_', '').toLowerCase()
  return await service.post(`/public/v1/submit/${operation}`, body, {
    'X-Stamp-Attested': Buffer.from(JSON.stringify(stamp)).toString('base64url'),
  })
}

/** What a request that must not complete is answered with. */
export async function refused(
  service: TestService,
  by: Member,
  type: string,
  parameters: object,
  options: { readonly organizationId?: string } = {},
): Promise<{ readonly status: number; readonly message: string; readonly turnkeyErrorCode?: string }> {
  service.world.advance(1)
  const { status, json, text } = await service.submit(by, type, parameters, options)
  assert.notEqual(status, 200, text)
  return {
    status,
    message: json.message,
    ...(json.turnkeyErrorCode === undefined ? {} : { turnkeyErrorCode: json.turnkeyErrorCode }),
  }
}

export async function userOf(service: TestService, { organizationId, userId }: Member): Promise<JsonAnswer> {
  const { status, json, text } = await service.query(service.root, 'get_user', { organizationId, userId })
  assert.equal(status, 200, text)
  return json.user
}
