import { isPlainAddress } from '../delivery/mailer.ts'
import { smtpSettings } from '../delivery/smtp-settings.ts'

/** How word leaves the service. */
export type DeliveryConfig = {
  /** The operator's mail server; without it no mail is sent. */
  readonly mail:
    | { readonly smtpUrl: string; readonly from: { readonly address: string; readonly name: string } }
    | undefined
  /** Domains that a request may name as the sender of its mail. */
  readonly senderDomains: readonly string[]
  readonly twilio:
    | { readonly accountSid: string; readonly authToken: string; readonly from: string }
    | undefined
  /** Webhooks, issuers and providers may be on private addresses and plain http: for development and tests. */
  readonly allowPrivateTargets: boolean
}

export const DELIVERY_SETTINGS = [
  'CLAVIGER_SMTP_URL',
  'CLAVIGER_MAIL_FROM',
  'CLAVIGER_MAIL_SENDER_DOMAINS',
  'CLAVIGER_TWILIO_ACCOUNT_SID',
  'CLAVIGER_TWILIO_AUTH_TOKEN',
  'CLAVIGER_TWILIO_FROM',
  'CLAVIGER_PRIVATE_TARGETS',
] as const

type Settings = { readonly [name: string]: string | undefined }

/** Reads them, and adds what is wrong to `problems`. No value is quoted that may hold a password. */
export function readDeliveryConfig(settings: Settings, problems: string[]): DeliveryConfig {
  const privateTargets = settings['CLAVIGER_PRIVATE_TARGETS'] ?? 'refused'
  if (!['refused', 'allowed'].includes(privateTargets))
    problems.push(`CLAVIGER_PRIVATE_TARGETS is ${JSON.stringify(privateTargets)}: it is refused or allowed`)
  return {
    mail: mailOf(settings, problems),
    senderDomains: (settings['CLAVIGER_MAIL_SENDER_DOMAINS'] ?? '')
      .split(',')
      .map((domain) => domain.trim().toLowerCase())
      .filter((domain) => domain !== ''),
    twilio: twilioOf(settings, problems),
    allowPrivateTargets: privateTargets === 'allowed',
  }
}

function mailOf(settings: Settings, problems: string[]): DeliveryConfig['mail'] {
  const smtpUrl = settings['CLAVIGER_SMTP_URL'] ?? ''
  const sender = settings['CLAVIGER_MAIL_FROM'] ?? ''
  if (smtpUrl === '' && sender === '') return undefined
  if (smtpUrl === '' || sender === '') {
    problems.push('CLAVIGER_SMTP_URL and CLAVIGER_MAIL_FROM are set together or not at all')
    return undefined
  }
  const parts = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(sender.trim())
  const from = { name: (parts?.[1] ?? '').trim(), address: (parts?.[2] ?? parts?.[3] ?? '').trim() }
  if (smtpSettings(smtpUrl) === undefined)
    problems.push(
      'CLAVIGER_SMTP_URL is not of the form smtps://user:password@host:port or smtp://… (with ?tls=none for a server without TLS)',
    )
  if (!isPlainAddress(from.address))
    problems.push(
      `CLAVIGER_MAIL_FROM is ${JSON.stringify(sender)}: it is an address, or a name and <address>`,
    )
  return { smtpUrl, from }
}

function twilioOf(settings: Settings, problems: string[]): DeliveryConfig['twilio'] {
  const [accountSid = '', authToken = '', from = ''] = [
    'CLAVIGER_TWILIO_ACCOUNT_SID',
    'CLAVIGER_TWILIO_AUTH_TOKEN',
    'CLAVIGER_TWILIO_FROM',
  ].map((name) => settings[name])
  const given = [accountSid, authToken, from].filter((value) => value !== '').length
  if (given === 0) return undefined
  if (given < 3)
    problems.push(
      'CLAVIGER_TWILIO_ACCOUNT_SID, CLAVIGER_TWILIO_AUTH_TOKEN and CLAVIGER_TWILIO_FROM are set together or not at all',
    )
  return { accountSid, authToken, from }
}
