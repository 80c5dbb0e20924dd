import type { Secret } from '../../trusted/base/secret.ts'

/** A configuration by the operator, for browser applications without a backend of their own. */
export type AuthProxyConfig = {
  /** The value of the header `X-Auth-Proxy-Config-Id` from pages. It is not secret. */
  readonly configId: string
  /** The parent of the sub-organizations for logins and sign-ups. */
  readonly organizationId: string
  /**
   * The API key of a user of that organization; the proxy may do only what the policies allow this key. P-256,
   * compressed, hexadecimal.
   */
  readonly apiPublicKey: string
  /** 32 bytes. */
  readonly apiPrivateKey: Secret
  /** Exact origins, or only `*` for any origin. */
  readonly allowedOrigins: readonly string[]
  readonly sessionExpirationSeconds: number
  readonly otp: {
    /** The number of codes for the callers of one network in three minutes, for all contacts together. */
    readonly codesPerNetwork: number
    /** The same in a day; by default a tenth of the messages that the organization may send in a day. */
    readonly codesPerNetworkInDay?: number
    /** Once so many of these messages are used, no more codes are sent through the proxy on this day. */
    readonly percentOfMessages: number
    readonly length: number
    readonly alphanumeric: boolean
    readonly expirationSeconds: number
  }
  /** The number of sign-ups in a day from one network, and, if it is bounded, from all networks together. */
  readonly signUps: { readonly perDay?: number; readonly perNetwork: number }
  /** The name of the application in messages. */
  readonly appName: string
  readonly sender: {
    readonly sendFromEmailAddress?: string
    readonly sendFromEmailSenderName?: string
    readonly replyToEmailAddress?: string
  }
  /** Client ids, by the name of a provider such as `google`. */
  readonly oauthClientIds: Readonly<Record<string, string>>
  /** Further client ids of the same application, such as those of its phone apps. */
  readonly socialLinkingClientIds: readonly string[]
  readonly oauthRedirectUrl?: string
  readonly allow: Readonly<Record<Allowance, boolean>>
}

/** The permitted actions of a configuration; all others are refused. */
export const ALLOWANCES = ['signup', 'otpEmail', 'otpSms', 'oauth', 'passkey', 'wallet'] as const
export type Allowance = (typeof ALLOWANCES)[number]
