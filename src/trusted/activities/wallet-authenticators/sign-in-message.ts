import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Ms } from '../../base/world.ts'
import type { WalletAuthenticatorType } from '../../charter/charter.ts'
import { timestampOf } from '../../policy/timestamp.ts'
import { isSignInDomain } from './sign-in-domain.ts'

/** The message that a wallet signs to log in (EIP-4361, or the same for Solana), for one session key only. */
export type SignInMessage = {
  readonly type: WalletAuthenticatorType
  readonly domain: string
  /** As it is in the message; `wallet-signature.ts` checks its form. */
  readonly address: string
  /** Of the page: its scheme and host. */
  readonly origin: string
  /** Compressed hex in lowercase: the nonce. */
  readonly sessionKey: string
  readonly issuedAt: Ms
  readonly notBefore: Ms
  readonly expiresAt: Ms
}

export const signInMessageInvalid = defineFailure<{ readonly why: string }>({
  kind: 'signInMessageInvalid',
  code: INVALID_ARGUMENT,
  say: ({ why }) => `invalid wallet sign-in message: ${why}`,
})

/**
 * Reads a message to its last byte, in the one form that it has (docs/decisions/wallet-authenticators.md). Nothing
 * about it has been verified: neither its signature nor its times.
 *
 * @throws  Failure `signInMessageInvalid`
 */
export function readSignInMessage(text: string): SignInMessage {
  if (!PRINTABLE.test(text)) throw invalid('it must be printable ASCII, in lines that end with a line feed')
  const lines = new Lines(text.split('\n'))
  const [, domain = '', chain = ''] = FIRST_LINE.exec(lines.next()) ?? []
  const kind = chain === 'Ethereum' ? ETHEREUM : chain === 'Solana' ? SOLANA : undefined
  if (kind === undefined)
    throw invalid(
      'it must begin with "<domain> wants you to sign in with your Ethereum (or Solana) account:"',
    )
  if (!isSignInDomain(domain))
    throw invalid('its domain must be a host in lowercase, with a port where it has one')
  const address = lines.next()
  skipStatement(lines, kind)
  const uri = lines.field('URI')
  if (lines.field('Version') !== '1') throw invalid('its version must be 1')
  if (!kind.chainId.test(lines.field('Chain ID'))) throw invalid(`its chain id must be one of ${chain}`)
  const sessionKey = lines.field('Nonce')
  const issuedAt = timeOf(lines.field('Issued At'), 'Issued At')
  const expiresAt = lines.optional('Expiration Time')
  const notBefore = lines.optional('Not Before')
  lines.optional('Request ID')
  lines.end(['Resources:', `- ${PROTOCOL}${kind.protocol}`, `- ${SESSION_KEY}${sessionKey}`])
  return {
    type: kind.type,
    domain,
    address,
    origin: originOf(uri, domain),
    sessionKey,
    issuedAt,
    notBefore: notBefore === undefined ? issuedAt : timeOf(notBefore, 'Not Before'),
    expiresAt: expiresAt === undefined ? issuedAt + LASTS_MS : timeOf(expiresAt, 'Expiration Time'),
  }
}

/** The lifetime of a message without an expiration time. */
const LASTS_MS: Ms = 60 * 60 * 1000

// As published clients write them: they bind the message to this purpose and this key.
const PROTOCOL = 'urn:turnkey:wallet-protocol:'
const SESSION_KEY = 'urn:turnkey:session-key:'

const PRINTABLE = /^[\x20-\x7e\n]+$/
const FIRST_LINE = /^(\S+) wants you to sign in with your (Ethereum|Solana) account:$/

type Kind = {
  readonly type: WalletAuthenticatorType
  readonly protocol: 'siwe' | 'siws'
  readonly chainId: RegExp
  /**
   * What the line below the first blank one begins with, where there is no statement: nothing is a second blank line.
   */
  readonly withoutStatement: '' | 'URI: '
}

const ETHEREUM: Kind = {
  type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
  protocol: 'siwe',
  chainId: /^[1-9][0-9]{0,14}$/, // EIP-155
  withoutStatement: '',
}

const SOLANA: Kind = {
  type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA',
  protocol: 'siws',
  chainId: /^(solana|(solana:)?(mainnet|testnet|devnet|localnet))$/,
  withoutStatement: 'URI: ',
}

class Lines {
  readonly #lines: readonly string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  next(): string {
    return this.#lines[this.#at++] ?? ''
  }

  /** @param start  nothing for a blank line */
  isNext(start: string): boolean {
    const line = this.#lines[this.#at] ?? ''
    return start === '' ? line === '' : line.startsWith(start)
  }

  field(name: string): string {
    const value = this.optional(name)
    if (value === undefined) throw invalid(`line ${this.#at + 1} must be "${name}: …"`)
    return value
  }

  optional(name: string): string | undefined {
    const start = `${name}: `
    const line = this.#lines[this.#at]
    if (line === undefined || !line.startsWith(start)) return undefined
    this.#at += 1
    return line.slice(start.length)
  }

  end(expected: readonly string[]): void {
    const rest = this.#lines.slice(this.#at)
    if (rest.length !== expected.length || rest.some((line, at) => line !== expected[at]))
      throw invalid(`it must end with the lines ${JSON.stringify(expected)}`)
  }
}

/** The statement for the person. It is ignored, because the resources below bind the purpose of the message. */
function skipStatement(lines: Lines, kind: Kind): void {
  const blank = (): void => {
    if (lines.next() !== '') throw invalid('a blank line must stand above and below its statement')
  }
  blank()
  if (!lines.isNext(kind.withoutStatement)) {
    lines.next()
    blank()
  } else if (kind.withoutStatement === '') blank()
}

function timeOf(text: string, name: string): Ms {
  const time = timestampOf(text)
  if (time === undefined) throw invalid(`its ${name} must be a time of RFC 3339 with zero offset`)
  return Number(time)
}

/** The URI must be a page of the domain, so that the two agree. */
function originOf(uri: string, domain: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid('its URI must be one of http or https')
  if (url.host !== domain) throw invalid('the host of its URI must be its domain')
  return url.origin
}

function invalid(why: string): Error {
  return signInMessageInvalid({ why })
}
