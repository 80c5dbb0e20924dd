import { present } from '../../src/trusted/base/assert.ts'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { sentMessages } from '../support/messages.ts'
import { loginSignature } from '../support/otp-setting.ts'
import type { Setting } from './fixture.ts'

const CONTACT = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com', appName: 'Example' }
const PHONE = '+15551234567'
export const BY_PHONE = { ...CONTACT, otpType: 'OTP_TYPE_SMS', contact: PHONE }

type In = Pick<Setting, 'service' | 'by'>

/** Codes by mail and by text message may be asked for, and the root user has an address and a number. */
export async function withContacts({ service, by }: In): Promise<void> {
  const { userId } = by
  for (const name of ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'])
    await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: CONTACT.contact })
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER', { userId, userPhoneNumber: PHONE })
}

/** Credentials may be mailed, and the root user has an address. */
export async function withMailedKeys({ service, by }: In): Promise<void> {
  const { userId } = by
  for (const name of ['FEATURE_NAME_EMAIL_AUTH', 'FEATURE_NAME_EMAIL_RECOVERY'])
    await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', { name, value: '' })
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId, userEmail: CONTACT.contact })
}

/** A code that has been sent, by an activity of this type. */
export async function aCode(setting: In, type: string, sent = CONTACT) {
  const { service, by } = setting
  await withContacts(setting)
  const result = await service.done(by, type, sent)
  const { code } = present((await sentMessages(service)).at(-1), 'the message with the code')
  return { result, otpId: String(result.otpId), otpCode: present(code, 'the code') }
}

/** A code as the published client encrypts it, with a key that its token is to be bound to. */
export async function anEncryptedCode(setting: In) {
  const { result, otpId, otpCode } = await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_V3')
  const target = result.otpEncryptionTargetBundle
  const { enclaveQuorumPublic } = JSON.parse(target)
  const key = setting.service.newKey()
  const encryptedOtpBundle = await encryptOtpCodeToBundle(otpCode, target, key.publicKey, enclaveQuorumPublic)
  return { otpId, encryptedOtpBundle, key }
}

/** Everything that a login with a token that is bound to a key needs. */
export async function aProvenContact(setting: In) {
  const { service, by } = setting
  const { otpId, encryptedOtpBundle, key } = await anEncryptedCode(setting)
  const sent = { otpId, encryptedOtpBundle }
  const { verificationToken } = await service.done(by, 'ACTIVITY_TYPE_VERIFY_OTP_V2', sent)
  const { publicKey } = service.newKey()
  const clientSignature = loginSignature(key, { token: verificationToken, publicKey })
  return { verificationToken, publicKey, clientSignature }
}
