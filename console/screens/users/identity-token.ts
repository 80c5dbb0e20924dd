import { fromBase64url } from '../../service/bytes.ts'

/** What an identity token says of itself; the service alone verifies it. */
type Claims = {
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  /** Empty where it names none. */
  readonly email: string
}

/** The claims of an OpenID Connect identity token (RFC 7519, section 4.1), or undefined where the text is none. */
export function claimsOf(token: string): Claims | undefined {
  const [, payload, signature, ...more] = token.split('.')
  const bytes = payload === undefined || signature === undefined ? undefined : fromBase64url(payload)
  const claims = bytes === undefined || more.length > 0 ? undefined : objectIn(bytes)
  const { iss, sub, aud, email } = claims ?? {}
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined
  const audience = [aud].flat().filter((one) => typeof one === 'string')
  return {
    issuer: iss,
    subject: sub,
    audience: audience.join(', '),
    email: typeof email === 'string' ? email : '',
  }
}

function objectIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    // Every object can be asked for any field.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // It is no token.
    return undefined
  }
}
