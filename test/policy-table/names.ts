import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import { sentMessages } from '../support/messages.ts'
import { signsPayload } from './asks.ts'
import { allow, type Ask, decided, deny } from './decision.ts'
import type { Organization } from './organization.ts'

/** Rows 22 to 27: how policies name an activity, and names that it does not have. */
export const rowsOfNames = [
  decided(22, 'a policy about one version of an activity is not about the next', async (o) => {
    await switchOn(o)
    return {
      policies: [allow("activity.type == 'ACTIVITY_TYPE_INIT_OTP_V2'")],
      requests: [
        { ask: initsOtp('_V3'), comesTo: ['denied', 'DENY_IMPLICIT'] },
        { ask: initsOtp('_V2'), comesTo: ['completed', 'ALLOW'] },
      ],
    }
  }),
  decided(23, 'a policy about a kind of activity is about all its versions', async (o) => {
    await switchOn(o)
    return {
      policies: [allow("activity.kind == 'INIT_OTP'")],
      requests: ['', '_V2', '_V3'].map((version) => ({
        ask: initsOtp(version),
        comesTo: ['completed', 'ALLOW'] as const,
      })),
    }
  }),
  decided(24, 'a policy tells actions on one resource apart', async (o) => {
    await switchOn(o)
    return {
      policies: [allow("activity.resource == 'OTP' && activity.action != 'CREATE'")],
      requests: [
        { ask: initsOtp('_V3'), comesTo: ['denied', 'DENY_IMPLICIT'] },
        { ask: await verifiesOtp(o), comesTo: ['completed', 'ALLOW'] },
      ],
    }
  }),
  decided(25, 'one side of || that has no value leaves the whole policy without one', (o) => ({
    policies: [allow(`wallet.id == '${o.walletId}' || private_key.id == '${o.K1}'`)],
    requests: [{ ask: signsPayload(o.E1), comesTo: ['denied', 'ERROR'] }],
  })),
  decided(25, 'nor does what is true on the other side save one that fails', (o) => ({
    policies: [allow("private_key.tags[7] == 'x' || true")],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['denied', 'ERROR'] }],
  })),
  decided(26, 'the same in two policies allows', (o) => ({
    policies: [allow(`wallet.id == '${o.walletId}'`), allow(`private_key.id == '${o.K1}'`)],
    requests: [
      { ask: signsPayload(o.E1), comesTo: ['completed', 'ALLOW', 'ERROR'] },
      { ask: signsPayload(o.K1), comesTo: ['completed', 'ERROR', 'ALLOW'] },
    ],
  })),
  decided(27, 'a DENY about what the activity does not have is skipped', (o) => ({
    policies: [allow('true'), deny(`private_key.id == '${o.K1}'`)],
    requests: [
      { ask: signsPayload(o.E1), comesTo: ['completed', 'ALLOW', 'ERROR'] },
      { ask: signsPayload(o.K1), comesTo: ['denied', 'ALLOW', 'DENY_EXPLICIT'] },
    ],
  })),
  // The table skips every DENY without a value. Ours skips only one that names what this kind of activity does not
  // have, and denies by one that fails: docs/decisions/policy-language.md, and SECURITY.md for what it is worth.
  decided(27, 'a DENY that fails otherwise denies, where the published behaviour skips it', (o) => ({
    policies: [allow('true'), deny("private_key.tags[7] == 'x'")],
    requests: [{ ask: signsPayload(o.K1), comesTo: ['denied', 'ALLOW', 'DENY_EXPLICIT'] }],
  })),
]

const CONTACT = { otpType: 'OTP_TYPE_EMAIL', contact: 'someone@example.com' }

async function switchOn({ service, R }: Organization): Promise<void> {
  const feature = { name: 'FEATURE_NAME_OTP_EMAIL_AUTH', value: '' }
  await service.done(R, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', feature)
}

/** The first version has no name of the app beside its customization. */
function initsOtp(version: string): Ask {
  const parameters = version === '' ? CONTACT : { ...CONTACT, appName: 'Example' }
  return { type: `ACTIVITY_TYPE_INIT_OTP${version}`, parameters }
}

async function verifiesOtp({ service, R }: Organization): Promise<Ask> {
  const { type, parameters } = initsOtp('_V3')
  const { otpId, otpEncryptionTargetBundle } = await service.done(R, type, parameters)
  const message = present((await sentMessages(service)).at(-1), 'the message with the code')
  const { otp } = await service.vault.serviceKeys()
  const encryptedOtpBundle = await encryptOtpCodeToBundle(
    present(message.code, 'the code in it'),
    otpEncryptionTargetBundle,
    service.newKey().publicKey,
    otp,
  )
  return { type: 'ACTIVITY_TYPE_VERIFY_OTP_V2', parameters: { otpId, encryptedOtpBundle } }
}
