import assert from 'node:assert/strict'
import {
  aService,
  type JsonAnswer,
  type Member,
  type Response,
  type TestService,
} from '../../../../../test/support/service.ts'
import {
  createAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../../test/support/software-authenticator.ts'
import { type StampHeader, type StampKey, stampWith } from '../../../../../test/support/stamper.ts'
import type { TestContext } from 'node:test'

export const NEEDED = 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
export const CONSENSUS = 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
export const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const ORIGIN = 'http://localhost'

export const API_KEY = { type: 'AUTHENTICATION_TYPE_API_KEY' }
export const PASSKEY = { type: 'AUTHENTICATION_TYPE_PASSKEY' }
export const SESSION = { type: 'AUTHENTICATION_TYPE_SESSION' }
export const OAUTH = { type: 'AUTHENTICATION_TYPE_OAUTH' }
export const EMAIL_OTP = { type: 'AUTHENTICATION_TYPE_EMAIL_OTP' }
export const SMS_OTP = { type: 'AUTHENTICATION_TYPE_SMS_OTP' }

/** Makes the header over a body: with an API key, a passkey, or a token. */
type Stamper = (body: string) => StampHeader

export const byKey =
  (key: StampKey): Stamper =>
  (body) =>
    stampWith(key, body)

export const byPasskey =
  (passkey: SoftwareAuthenticator): Stamper =>
  (body) =>
    passkey.assert(body, ORIGIN)

/** @param key  which the token is bound to */
export const byToken = (token: string, key: StampKey): Stamper =>
  attested(token, key, 'STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN')

/** @param key  which the nonce of the identity token is of */
export const byIdentity = (token: string, key: StampKey): Stamper =>
  attested(token, key, 'STAMP_ATTESTED_SCHEME_P256_OIDC')

/** A stamp of the same key and the same token, as of another request. */
export const overOtherBytes =
  (stamper: Stamper): Stamper =>
  (body) =>
    stamper(`${body} `)

const attested =
  (token: string, key: StampKey, scheme: string): Stamper =>
  (body) => {
    const { signature } = JSON.parse(
      Buffer.from(stampWith(key, body).stampHeaderValue, 'base64url').toString(),
    )
    const stamp = {
      publicKeyAttestation: token,
      scheme,
      publicKey: key.publicKey,
      signature,
    }
    return {
      stampHeaderName: 'X-Stamp-Attested',
      stampHeaderValue: Buffer.from(JSON.stringify(stamp)).toString('base64url'),
    }
  }

export function mfaSetting(service: TestService) {
  const { root, organizationId } = service
  const send = async (
    stamper: Stamper,
    type: string,
    parameters: object,
    where = organizationId,
  ): Promise<Response> => {
    service.world.advance(1)
    const operation = type.replace(/_V\d+$/, '').toLowerCase()
    const body = JSON.stringify({
      type: `ACTIVITY_TYPE_${type}`,
      timestampMs: String(service.world.now()),
      organizationId: where,
      parameters,
    })
    const { stampHeaderName, stampHeaderValue } = stamper(body)
    return await service.post(`/public/v1/submit/${operation}`, body, { [stampHeaderName]: stampHeaderValue })
  }
  let made = 0
  return {
    service,
    root,
    send,
    /** Something that leaves a trace: a tag. */
    propose: async (stamper: Stamper, userTagName = `Tag ${made++}`, where = organizationId) =>
      (await send(stamper, 'CREATE_USER_TAG', { userTagName, userIds: [] }, where)).json.activity,
    approve: async (stamper: Stamper, fingerprint: string, where = organizationId) =>
      await send(stamper, 'APPROVE_ACTIVITY', { fingerprint }, where),
    reject: async (stamper: Stamper, fingerprint: string) =>
      await send(stamper, 'REJECT_ACTIVITY', { fingerprint }),
    tags: async (): Promise<readonly string[]> =>
      (await service.query(root, 'list_user_tags')).json.userTags.map(
        ({ tagName }: { readonly tagName: string }) => tagName,
      ),
    /** A passkey of the user, and its id. */
    passkeyOf: async (userId: string) => {
      const passkey = createAuthenticator({ randomBytes: service.world.randomBytes })
      const challenge = Buffer.from('a challenge of our own').toString('base64url')
      const attestation = passkey.register(challenge, ORIGIN)
      const { authenticatorIds } = await service.done(root, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
        userId,
        authenticators: [{ authenticatorName: `Passkey ${made++}`, challenge, attestation }],
      })
      return { passkey, id: authenticatorIds[0] as string }
    },
    apiKeyIdOf: async (userId: string): Promise<string> =>
      (await service.query(root, 'get_user', { userId })).json.user.apiKeys[0].apiKeyId,
    /** A policy of the user; about making tags unless told. */
    policy: async (userId: string, steps: readonly (readonly object[])[], terms: object = {}) =>
      (
        await service.done(root, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
          userId,
          mfaPolicyName: `Policy ${made++}`,
          condition: "activity.kind == 'CREATE_USER_TAG'",
          requiredAuthenticationMethods: steps.map((any) => ({ any })),
          order: made,
          ...terms,
        })
      ).mfaPolicyId as string,
    statuses: async (activityId: string, more: object = {}): Promise<JsonAnswer> => {
      const { status, json, text } = await service.query(root, 'get_mfa_status', { activityId, ...more })
      assert.equal(status, 200, text)
      return json.mfaStatuses
    },
  }
}

export async function anMfaSetting(t: TestContext) {
  const service = await aService()
  t.after(service.close)
  return mfaSetting(service)
}

/** A second root user; both have to agree from now on. */
export async function twoRoots(service: TestService): Promise<Member> {
  const second = await service.user('Second')
  await service.done(service.root, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
    threshold: 2,
    userIds: [service.root.userId, second.userId],
  })
  return second
}

export function statusOf({ json }: Response): string {
  return json.activity?.status ?? `${json.code} ${json.message}`
}
