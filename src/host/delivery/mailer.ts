import { createTransport } from 'nodemailer'
import { assert } from '../../trusted/base/assert.ts'
import { DeliveryError } from './delivery-error.ts'
import { MailConnections } from './mail-connections.ts'
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
  /** The same in every attempt at a message: letters, digits, `.`, `_` and `-`. */
  readonly messageId: string
}

export type Mailer = {
  /** Resolves when the server has accepted the mail. @throws DeliveryError */
  readonly send: (mail: Mail) => Promise<void>
  /** Closes idle connections, and those with a mail under way after it. */
  readonly close: () => void
}

export type MailerOptions = {
  /** The result of `smtpSettings`. */
  readonly smtpUrl: string
  readonly from: { readonly address: string; readonly name: string }
  /** PEM; trusted instead of the authorities of the runtime. */
  readonly certificateAuthorities?: string
  /** The timers of the machine by default. */
  readonly timers?: Timers
}

/** Mails at once; a wait for one of them counts as time of the mail. */
export const CONNECTIONS_MAX = 4
const IDLE_MS = 30_000
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
/** Of one mail, with everything that its server takes time for. */
export const MAIL_MS_MAX = 40_000
const HEADER_CHARACTERS_MAX = 200

/** Mail by SMTP to the operator's server, over a few persistent connections. */
export function openMailer(options: MailerOptions): Mailer {
  const settings = smtpSettings(options.smtpUrl)
  assert(settings !== undefined, 'the SMTP URL was checked with the configuration')
  assert(isPlainAddress(options.from.address), 'the sender was checked with the configuration')
  const { timers = realTimers } = options
  const aTransport = () =>
    createTransport({
      ...settings,
      pool: true,
      // Only the runner repeats a mail, and it counts each attempt: the library must not send a mail twice.
      maxRequeues: 0,
      // Several are several transports: one of several connections may open another where one is about to be free.
      maxConnections: 1,
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
  const transports = Array.from({ length: CONNECTIONS_MAX }, aTransport)
  const connections = new MailConnections(transports, timers)
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
        // The address and the name are separate, and the envelope is explicit: the library does not search any text for
        // addresses.
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
      const stopTimer = timers.after(MAIL_MS_MAX, () => time.abort())
      try {
        await sendOnce(connections, time.signal, (transport) => transport.sendMail(message))
      } catch (error) {
        throw deliveryError(error)
      } finally {
        stopTimer()
      }
    },
    close: () => {
      for (const transport of transports) transport.close()
    },
  }
}

/** Sends a mail, over another connection where the server has ended that of the mail before it took any of it. */
async function sendOnce<Connection>(
  connections: MailConnections<Connection>,
  time: AbortSignal,
  send: (over: Connection) => Promise<unknown>,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    const connection = await connections.take(time)
    try {
      await send(connection)
      connections.giveBack(connection)
      return
    } catch (error) {
      if (isRefusedConnection(error) && connections.refused(connection)) continue
      connections.giveBack(connection)
      if (!isEndedBefore(error) || tried > CONNECTIONS_MAX) throw error
    }
  }
}

/**
 * 421 instead of a greeting (RFC 5321, 3.8), or 432, by which Exchange Online says that this account has too many. A
 * 421 in answer to a command may be about its sender or recipient, and takes no connection from the mails of others.
 */
function isRefusedConnection(error: unknown): boolean {
  const [answer, code] = ['responseCode', 'code'].map((name) => part(error, name))
  return answer === 432 || (answer === 421 && code === 'EPROTOCOL')
}

/** The pool's error for a mail that was given to a connection of before, and not begun when the server ended that. */
function isEndedBefore(error: unknown): boolean {
  return part(error, 'code') === 'ECONNECTION' && part(error, 'command') === undefined
}

/** Exactly one mailbox: no display name, no quoting, no list, no route (RFC 5321, 4.1.2, without quoted strings). */
export function isPlainAddress(text: string): boolean {
  return (
    text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{C}\p{Z}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}\p{Z}]+$/u.test(text)
  )
}

/**
 * A text for a header: every character that some reader takes for the end of a line, or that changes the direction of
 * text, becomes a space.
 */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return Array.from(line).slice(0, HEADER_CHARACTERS_MAX).join('')
}

/** Text without control characters except the tab and the line feed. */
function printable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\t\n])\p{Cc}/gu, '')
}

/**
 * Only a final answer of the server about this very mail is permanent. The operator can correct a wrong password or a
 * closed port, and the mail can be sent then.
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
