import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { hash } from 'node:crypto'
import { present } from '../../src/trusted/base/assert.ts'
import type { Message } from '../../src/trusted/catalogue/message.ts'
import { aService, type JsonAnswer, type Member, type TestService } from './service.ts'
import { sentMessages } from './messages.ts'
import type { StampKey } from './stamper.ts'
import { p256Signer } from '../../src/trusted/crypto/p256.ts'

export const EMAIL = 'Ada@Example.com'
export const PHONE = '+15551234567'
export const APP = { appName: 'Example' }
const NUMERIC = { otpLength: 6, alphanumeric: false }

/**
 * A top-level organization with codes switched on, and a sub-organization whose one user has a key and both contacts.
 */
export type OtpSetting = {
  readonly service: TestService
  readonly root: Member
  /** The user of the sub-organization. */
  readonly ada: Member
  readonly subId: string
  /** Sends a code and tells what was sent. */
  readonly initiated: (
    parameters?: object,
    how?: { readonly by?: Member; readonly type?: string; readonly organizationId?: string },
  ) => Promise<{ readonly result: JsonAnswer; readonly code: string; readonly message: Message }>
  /** A verification token for the contact of Ada, bound to the key where there is one. */
  readonly token: (
    given?: { readonly key?: StampKey; readonly by?: Member } & {
      readonly init?: object
      readonly verify?: object
    },
  ) => Promise<string>
}

export async function anOtpSetting(
  t: TestContext,
  options: { readonly features?: readonly string[] } = {},
): Promise<OtpSetting> {
  const service = await aService()
  t.after(service.close)
  const { root } = service
  for (const name of options.features ?? ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'])
    await service.done(root, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  const ada = await aSubOrganization(service)
  const initiated: OtpSetting['initiated'] = async (parameters = {}, how = {}) => {
    const { by = root, type = 'ACTIVITY_TYPE_INIT_OTP_V3', organizationId } = how
    const intent = { otpType: 'OTP_TYPE_EMAIL', contact: EMAIL, ...APP, ...NUMERIC, ...parameters }
    const where = organizationId === undefined ? {} : { organizationId }
    const result = await service.done(by, type, intent, where)
    const message = present((await sentMessages(service)).at(-1), 'the message with the code')
    return { result, code: codeIn(message), message }
  }
  return {
    service,
    root,
    ada,
    subId: ada.organizationId,
    initiated,
    token: async ({ key, by, init, verify } = {}) => {
      const old = { emailCustomization: APP, appName: undefined }
      const how = { type: 'ACTIVITY_TYPE_INIT_OTP', ...(by === undefined ? {} : { by }) }
      const { result, code } = await initiated({ ...old, ...init }, how)
      const bound = key === undefined ? {} : { publicKey: key.publicKey }
      const sent = { otpId: result.otpId, otpCode: code, ...bound, ...verify }
      const made = await service.done(by ?? root, 'ACTIVITY_TYPE_VERIFY_OTP', sent)
      return made.verificationToken
    },
  }
}

export async function aSubOrganization(
  service: TestService,
  user: object = {},
  switches: object = {},
): Promise<Member> {
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const contacts = { userEmail: EMAIL, userPhoneNumber: PHONE }
  const rootUser = { userName: 'Ada', ...contacts, apiKeys, authenticators: [], oauthProviders: [], ...user }
  const made = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: `Of Ada ${service.world.now()}`,
    rootUsers: [rootUser],
    rootQuorumThreshold: 1,
    ...switches,
  })
  return { organizationId: made.subOrganizationId, userId: made.rootUserIds[0], key }
}

export function codeIn(message: Message): string {
  return present(message.code, 'the code in a message')
}

/** Another code of the same length, wrong in its last character only. */
export function nearly(code: string): string {
  return code.slice(0, -1) + (code.endsWith('1') ? '2' : '1')
}

/** The signature of the token's key over the login, as clients make it. */
export function loginSignature(
  key: StampKey,
  about: { readonly token: string; readonly publicKey: string },
  changes: { readonly tokenId?: string; readonly type?: string } = {},
) {
  const tokenId = changes.tokenId ?? claimsOf(about.token).id
  const message = JSON.stringify({
    login: { publicKey: about.publicKey },
    tokenId,
    type: changes.type ?? 'USAGE_TYPE_LOGIN',
  })
  return {
    publicKey: key.publicKey,
    scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256',
    message,
    signature: p1363(key.privateKey, message).toString('hex'),
  }
}

export function claimsOf(jwt: string): JsonAnswer {
  return JSON.parse(Buffer.from(present(jwt.split('.')[1], 'the claims of a token'), 'base64url').toString())
}

/** A token of our own making, signed by any key. */
export function signedToken(header: object, claims: object, secret: Uint8Array): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${p1363(secret, signed).toString('base64url')}`
}

/** The same each time, as the examples of the reference are. */
function p1363(secret: Uint8Array, text: string): Buffer {
  const { r, s } = p256Signer(secret).sign(hash('sha256', text, 'buffer'))
  return Buffer.from(r + s, 'hex')
}

export function refusedWith(
  answer: { readonly status: number; readonly json: JsonAnswer },
  expected: { readonly status: number; readonly message: RegExp; readonly errorCode?: string },
): void {
  assert.match(String(answer.json.message), expected.message)
  assert.equal(answer.status, expected.status)
  if (expected.errorCode !== undefined) {
    assert.equal(answer.json.turnkeyErrorCode, expected.errorCode)
    assert.equal(answer.json.details[0].turnkeyErrorCode, expected.errorCode)
  }
}
