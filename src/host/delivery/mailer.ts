import { createTransport } from 'nodemailer'
import { assert } from '../../trusted/base/assert.ts'
import { DeliveryError } from './delivery-error.ts'
import { smtpSettings } from './smtp-settings.ts'
import { realTimers, type Timers } from '../outside/timers.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly fromName?: string
  readonly fromAddress?: string
  readonly replyTo?: string
  /** The same for every attempt at the same message: letters, digits, `.`, `_` and `-`. */
  readonly messageId: string
}

export type Mailer = {
  /** Resolves when the server has taken the mail. @throws DeliveryError */
  readonly send: (mail: Mail) => Promise<void>
  /** Ends idle connections; with a mail under way, after it. */
  readonly close: () => void
}

export type MailerOptions = {
  /** As `smtpSettings` reads it. */
  readonly smtpUrl: string
  readonly from: { readonly address: string; readonly name: string }
  /** PEM; believed instead of the authorities that come with the runtime. */
  readonly certificateAuthorities?: string
  /** Those of the machine unless given. */
  readonly timers?: Timers
}

const CONNECTIONS_MAX = 4
const IDLE_MS = 30_000
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const TOTAL_MS = 40_000
const HEADER_CHARACTERS_MAX = 200

/** Mail by SMTP to the operator's server, over a few connections that are kept. */
export function openMailer(options: MailerOptions): Mailer {
  const settings = smtpSettings(options.smtpUrl)
  assert(settings !== undefined, 'the SMTP URL was checked with the configuration')
  assert(isPlainAddress(options.from.address), 'the sender was checked with the configuration')
  const { timers = realTimers } = options
  const transport = createTransport({
    ...settings,
    pool: true,
    // Whoever sends again is the runner, which counts each attempt: a mail must not go out twice behind its back.
    maxRequeues: 0,
    maxConnections: CONNECTIONS_MAX,
    idleTimeout: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
    tls: {
      minVersion: 'TLSv1.2',
      ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
    },
  })
  const domain = options.from.address.slice(options.from.address.lastIndexOf('@') + 1)
  return {
    send: async (mail) => {
      assert(/^[\w.-]{1,100}$/.test(mail.messageId), 'a message id is made of plain characters')
      const from = {
        name: oneLine(mail.fromName ?? options.from.name),
        address: mail.fromAddress ?? options.from.address,
      }
      for (const address of [mail.to, from.address, mail.replyTo])
        if (address !== undefined && !isPlainAddress(address))
          throw new DeliveryError('permanent', 'not an address that mail is sent to or from')
      const time = new AbortController()
      const message = {
        // Address and name apart, and the envelope said outright: no text of ours is searched for addresses.
        from,
        to: { name: '', address: mail.to },
        ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
        envelope: { from: from.address, to: [mail.to] },
        subject: oneLine(mail.subject),
        text: printable(mail.text),
        html: printable(mail.html),
        messageId: `<${mail.messageId}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no holiday notes in answer
        signal: time.signal,
      }
      const stopTimer = timers.after(TOTAL_MS, () => time.abort())
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw deliveryError(error)
      } finally {
        stopTimer()
      }
    },
    close: () => transport.close(),
  }
}

/**
 * One mailbox and nothing beside it: no display name, no quoting, no list, no route (RFC 5321, 4.1.2, without quoted
 * strings).
 */
export function isPlainAddress(text: string): boolean {
  return (
    text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}\p{Z}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}\p{Z}]+$/u.test(text)
  )
}

/**
 * What may stand in a header: everything that some reader takes for the end of a line, or that turns the order of
 * reading, becomes a space.
 */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(line).slice(0, HEADER_CHARACTERS_MAX).join('')
}

/** Text without control characters other than the tab and the line feed. */
function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\t\n])\p{Cc}/gu, '')
}

/**
 * Only what the server says for good about this very mail is permanent; a wrong password or a closed door is the
 * operator's to mend, and the mail is good when it is mended.
 */
function deliveryError(error: unknown): DeliveryError {
  const [code, permanent, responseCode] = ['code', 'permanent', 'responseCode'].map((name) =>
    part(error, name),
  )
  const isPermanent = permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE')
  const answer = typeof responseCode === 'number' ? `, answer ${responseCode}` : ''
  return new DeliveryError(
    isPermanent ? 'permanent' : 'temporary',
    `the mail server did not take it (${typeof code === 'string' ? code : 'unknown'}${answer})`,
  )
}

function part(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined
}
