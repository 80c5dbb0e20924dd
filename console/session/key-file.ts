/** What signing in by key needs. */
type KeyFile = {
  readonly publicKey: string
  readonly privateKey: string
  /** Empty where the text does not say it. */
  readonly organizationId: string
}

/**
 * Reads an API key as it is kept: lines of `NAME=value`, such as `dev.env`, or JSON; of the names only the end counts,
 * so that `API_PUBLIC_KEY`, `publicKey` and `apiPublicKey` are one. Undefined where there is no key.
 */
export function readKeyFile(text: string): KeyFile | undefined {
  const publicKey = valueOf(text, /(?<!signer_?)public_?key/i, /0[23][0-9a-f]{64}/i)
  const privateKey = valueOf(text, /private_?key/i, /[0-9a-f]{64}/i)
  if (publicKey === undefined || privateKey === undefined) return undefined
  const organizationId = valueOf(text, /organization_?id/i, UUID) ?? ''
  return { publicKey: publicKey.toLowerCase(), privateKey, organizationId }
}

/** Whether a text has what may be a private key in it, whole or not. */
export function holdsSecret(text: string): boolean {
  return /private[_ ]?key\W|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i.test(text)
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

function valueOf(text: string, name: RegExp, value: RegExp): string | undefined {
  const line = new RegExp(`${name.source}["']?\\s*[:=]\\s*["']?(${value.source})(?![0-9a-z-])`, 'i')
  return line.exec(text.slice(0, LENGTH_MAX))?.[1]
}

const LENGTH_MAX = 20_000
