import assert from 'node:assert/strict'
import type { Member, Response, TestService } from '../../../../../test/support/service.ts'
import { type StampKey, stampWith } from '../../../../../test/support/stamper.ts'
import { oidcNonceFor } from '../../../crypto/stamp-attested.ts'
import { CREATE_SUB_ORGANIZATION, rootUser } from '../../organizations/testing/sub-organization.ts'

export const LOGIN = 'ACTIVITY_TYPE_OAUTH_LOGIN'
export const OAUTH = 'ACTIVITY_TYPE_OAUTH'
export const CREATE_PROVIDERS = 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS_V2'

export const GOOGLE = 'https://accounts.google.com'

/** The top-level organization says that these are its own applications: pairs of an issuer and a client id. */
export async function ownApplications(
  service: TestService,
  ...applications: readonly (readonly [string, string])[]
): Promise<void> {
  const value = applications.map((pair) => pair.join(' ')).join(', ')
  await service.done(service.root, SET_FEATURE, { name: 'FEATURE_NAME_OIDC_AUDIENCES', value })
}

export const SET_FEATURE = 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE'

/**
 * A sub-organization whose one root user has a key and these accounts elsewhere; the key makes it easy to look inside.
 */
export async function aCustomer(
  service: TestService,
  more: { readonly oauthProviders?: readonly object[]; readonly userEmail?: string } = {},
): Promise<Member> {
  const key = service.newKey()
  const { subOrganizationId: organizationId, rootUserIds } = await service.done(
    service.root,
    CREATE_SUB_ORGANIZATION,
    {
      subOrganizationName: 'Customer',
      rootQuorumThreshold: 1,
      rootUsers: [rootUser('Ada', key, more)],
    },
  )
  return { organizationId, userId: rootUserIds[0], key }
}

export async function userOf(service: TestService, member: Member) {
  const { json } = await service.query(member, 'get_user', { userId: member.userId })
  return json.user
}

/** A new session key, and the nonce that binds a token to it. */
export function aSessionKey(service: TestService) {
  const key = service.newKey()
  return { key, publicKey: key.publicKey, nonce: oidcNonceFor(key.publicKey) }
}

/** The headers of a request that a token stamps, with the key that it is bound to. */
export function attestedBy(token: string, key: StampKey, body: string): Record<string, string> {
  // The signature of an ordinary stamp by the same key is what an attested one has.
  const plain = stampWith(key, Buffer.from(body)).stampHeaderValue
  const { publicKey, signature } = JSON.parse(Buffer.from(plain, 'base64url').toString())
  const stamp = {
    publicKeyAttestation: token,
    scheme: 'STAMP_ATTESTED_SCHEME_P256_OIDC',
    publicKey,
    signature,
  }
  return { 'X-Stamp-Attested': Buffer.from(JSON.stringify(stamp)).toString('base64url') }
}

/** A login of a customer, asked for by the parent. */
export async function logIn(
  service: TestService,
  { organizationId }: Member,
  parameters: object,
  type = LOGIN,
): Promise<Response> {
  service.world.advance(1)
  return await service.submit(service.root, type, parameters, { organizationId })
}

/** That it is refused as a bad token, and why. */
export function assertBadToken({ status, json, text }: Response, why: RegExp): void {
  assert.equal(status, 400, text)
  assert.equal(json.code, 3)
  assert.equal(json.turnkeyErrorCode, 'INVALID_OIDC_TOKEN', text)
  assert.match(json.message, /^invalid OIDC token: /)
  assert.match(json.message, why)
}
