import { Secret } from '../../base/secret.ts'
import type { Ms } from '../../base/world.ts'
import type { Message } from '../../catalogue/message.ts'
import type { Opened, Placed } from '../../catalogue/objects.ts'
import type { Charter } from '../../charter/charter.ts'
import { emailCustomizationOf, emailSenderOf } from '../messages/customization.ts'
import type { CodeRequest } from './init-params.ts'
import {
  ACTIVE_CODES_MAX,
  codeOf,
  isBelow,
  type OtpCode,
  type OtpContact,
  type OtpUse,
  placeCodes,
  recentWrongTries,
  TRIES,
  unexpired,
} from '../../objects/otp-contact.ts'
import { askerOf, countRequest, maxOtpInitiated, type OtpRequests } from '../../objects/request-rate.ts'

export const OTP_LENGTH_DEFAULT = 9
const CODE_SECONDS_DEFAULT = 300

/**
 * A new code for a contact, in addition to existing ones, and the message that carries it. It does not check whether
 * the contact belongs to a user.
 *
 * @throws Failure `maxOtpInitiated`, for a fourth code of one asker, a tenth of all, and a fourth request within three
 *         minutes
 */
export function issueCode(issued: {
  readonly request: CodeRequest
  readonly use: OtpUse
  readonly charter: Charter
  readonly rows: {
    readonly contact: readonly Opened<OtpContact>[]
    readonly requests: readonly Opened<OtpRequests>[]
  }
  readonly now: Ms
  readonly newId: () => string
  readonly randomBytes: (length: number) => Uint8Array
}): {
  readonly otpId: string
  readonly secret: Secret
  readonly put: readonly Placed[]
  readonly messages: readonly Message[]
} {
  const { request, use, charter, rows, now, newId, randomBytes } = issued
  const { userIdentifier, expirationSeconds, contact } = request
  const counted = countRequest(rows.requests, { userIdentifier, now, randomBytes })
  const [row] = rows.contact
  const others = unexpired(row, now)
  const asker = askerOf(userIdentifier)
  if (!isBelow(ACTIVE_CODES_MAX, others, asker)) throw maxOtpInitiated()
  const secret = row === undefined || others.length === 0 ? new Secret(randomBytes(32)) : row.secret
  const code: OtpCode = {
    otpId: newId(),
    ...(asker === undefined ? {} : { asker }),
    contact,
    createdAt: now,
    expiresAt: now + Number(expirationSeconds ?? CODE_SECONDS_DEFAULT) * 1000,
    triesLeft: TRIES,
    length: request.otpLength ?? OTP_LENGTH_DEFAULT,
    alphanumeric: request.alphanumeric ?? true,
    use,
  }
  return {
    otpId: code.otpId,
    secret,
    put: [
      placeCodes(request, { codes: [...others, code], wrongTries: recentWrongTries(row, now) }, secret),
      ...counted,
    ],
    messages: [messageOf(request, charter, code, codeOf(secret, code))],
  }
}

function messageOf(
  { otpType, contact: to, appName, emailCustomization, smsCustomization, ...sender }: CodeRequest,
  { organizationName }: Charter,
  { expiresAt }: OtpCode,
  code: string,
): Message {
  const name = appName === undefined ? {} : { appName }
  if (otpType === 'OTP_TYPE_EMAIL')
    return {
      channel: 'email',
      about: 'otp',
      to,
      code,
      organizationName,
      expiresAt,
      customization: emailCustomizationOf({ ...emailCustomization, ...name }),
      sender: emailSenderOf(sender),
    }
  const { template = '' } = smsCustomization ?? {}
  const wording = template === '' ? {} : { template }
  return { channel: 'sms', about: 'otp', to, code, expiresAt, ...name, ...wording }
}
