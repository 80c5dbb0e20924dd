import { decodedPart } from './decoded-part.ts'

type SmtpSettings = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS, or no encryption. */
  readonly secure: boolean
  readonly requireTLS: boolean
  readonly ignoreTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

const SUBMISSION_PORT = 587 // RFC 6409
const SUBMISSIONS_PORT = 465 // RFC 8314

/**
 * `smtps://user:password@host:port` uses TLS from the start. `smtp://…` continues only after STARTTLS, unless the
 * operator sets `?tls=none`, for example for a server on the same machine.
 *
 * @returns  undefined for another scheme, a path, or unknown settings
 */
export function smtpSettings(text: string): SmtpSettings | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === '' || !['', '/'].includes(url.pathname) || url.hash !== '')
    return undefined
  if (!['', '?tls=none'].includes(url.search)) return undefined
  const secure = url.protocol === 'smtps:'
  const isBare = url.search === '?tls=none'
  if (!secure && url.protocol !== 'smtp:') return undefined
  if (secure && isBare) return undefined
  const [user, pass] = [decodedPart(url.username), decodedPart(url.password)]
  if (user === undefined || pass === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && !isBare,
    ignoreTLS: isBare,
    ...(user === '' ? {} : { auth: { user, pass } }),
  }
}
