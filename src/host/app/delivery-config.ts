import { isPlainAddress } from '../delivery/mailer.ts'
import { DEFAULT_SENDER_NAME } from '../delivery/sender.ts'
import { smtpSettings } from '../delivery/smtp-settings.ts'
import { commaSeparated, flag } from './network-settings.ts'
import type { Settings } from './settings-source.ts'

/** How word leaves the service. */
export type DeliveryConfig = {
  /** The operator's mail server, and who mail is from unless a request may say otherwise; without it no mail is sent. */
  readonly mail:
    | { readonly smtpUrl: string; readonly from: { readonly address: string; readonly name: string } }
    | undefined
  /** Domains that a request may name as the sender of its mail, in lower case. */
  readonly senderDomains: readonly string[]
  /** `from` is a number in E.164, or a messaging service `MG…`. */
  readonly twilio:
    | { readonly accountSid: string; readonly authToken: string; readonly from: string }
    | undefined
  /** Webhooks, issuers and providers may be on private addresses and plain http: for development and tests. */
  readonly allowPrivateTargets: boolean
}

const TWILIO_SETTINGS = [
  'CLAVIGER_TWILIO_ACCOUNT_SID',
  'CLAVIGER_TWILIO_AUTH_TOKEN',
  'CLAVIGER_TWILIO_FROM',
] as const

export const DELIVERY_SETTINGS = [
  'CLAVIGER_SMTP_URL',
  'CLAVIGER_MAIL_FROM',
  'CLAVIGER_MAIL_DOMAINS',
  ...TWILIO_SETTINGS,
  'CLAVIGER_ALLOW_PRIVATE_ADDRESSES',
] as const

/** Reads them, and adds what is wrong to `problems`. No value is quoted that may hold a password. */
export function readDeliveryConfig(settings: Settings, problems: string[]): DeliveryConfig {
  return {
    mail: mailOf(settings, problems),
    senderDomains: senderDomains(settings['CLAVIGER_MAIL_DOMAINS'], problems),
    twilio: twilioOf(settings, problems),
    allowPrivateTargets: flag('CLAVIGER_ALLOW_PRIVATE_ADDRESSES', settings, problems),
  }
}

function mailOf(settings: Settings, problems: string[]): DeliveryConfig['mail'] {
  const smtpUrl = settings['CLAVIGER_SMTP_URL'] ?? ''
  const sender = settings['CLAVIGER_MAIL_FROM'] ?? ''
  if (smtpUrl === '' && sender === '') return undefined
  if (smtpUrl === '' || sender === '')
    problems.push('CLAVIGER_SMTP_URL and CLAVIGER_MAIL_FROM are set together or not at all')
  if (smtpUrl !== '' && smtpSettings(smtpUrl) === undefined)
    problems.push(
      'CLAVIGER_SMTP_URL is not of the form smtps://user:password@host:port or smtp://… (with ?tls=none for a server without TLS)',
    )
  const from = mailbox(sender)
  if (from === undefined && sender !== '')
    problems.push(`CLAVIGER_MAIL_FROM is ${JSON.stringify(sender)}: it is an address, or Name <address>`)
  return from && { smtpUrl, from }
}

/** `Name <address>`, `"Name" <address>` or an address. */
function mailbox(text: string): { readonly address: string; readonly name: string } | undefined {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = inBrackets ?? text.trim()
  if (!isPlainAddress(address) || /\p{Cc}/u.test(name)) return undefined
  const bare = name.trim().replace(/^"(.*)"$/, '$1')
  return { address, name: bare === '' ? DEFAULT_SENDER_NAME : bare }
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

function senderDomains(text: string | undefined, problems: string[]): readonly string[] {
  const domains = commaSeparated(text).map((domain) => domain.toLowerCase())
  for (const domain of domains)
    if (!DOMAIN.test(domain))
      problems.push(
        `CLAVIGER_MAIL_DOMAINS names ${JSON.stringify(domain)}: it must be a domain such as example.com`,
      )
  return domains
}

function twilioOf(settings: Settings, problems: string[]): DeliveryConfig['twilio'] {
  const [accountSid = '', authToken = '', from = ''] = TWILIO_SETTINGS.map((name) => settings[name])
  const given = [accountSid, authToken, from].filter((value) => value !== '').length
  if (given === 0) return undefined
  if (given < TWILIO_SETTINGS.length)
    problems.push(`${TWILIO_SETTINGS.join(', ')} are set together or not at all`)
  if (accountSid !== '' && !/^AC[0-9a-fA-F]{32}$/.test(accountSid))
    problems.push('CLAVIGER_TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits')
  if (from !== '' && !/^(\+[1-9]\d{1,14}|MG[0-9a-fA-F]{32})$/.test(from))
    problems.push(
      'CLAVIGER_TWILIO_FROM must be a number such as +15551234567, or a messaging service MG and 32 hexadecimal digits',
    )
  return { accountSid, authToken, from }
}
