import type { Secret } from '../../trusted/base/secret.ts'

/** One way in for browsers that have no backend of their own, as the operator has set it up. */
export type AuthProxyConfig = {
  /** What pages send as `X-Auth-Proxy-Config-Id`. It is no secret. */
  readonly configId: string
  /** The parent of the sub-organizations that people log in to and sign up for. */
  readonly organizationId: string
  /**
   * Of a user of that organization; the proxy may do what its policies allow this key, and nothing else. P-256,
   * compressed hex.
   */
  readonly apiPublicKey: string
  /** 32 bytes. */
  readonly apiPrivateKey: Secret
  /** Exact origins, or `*` alone for any. */
  readonly allowedOrigins: readonly string[]
  readonly sessionExpirationSeconds: number
  readonly otp: {
    /** How many codes the callers of one network may ask for in three minutes, for whatever contacts. */
    readonly codesPerNetwork: number
    readonly length: number
    readonly alphanumeric: boolean
    readonly expirationSeconds: number
  }
  /** How many may sign up in a day: from one network, and from all of them where there is a bound on that. */
  readonly signUps: { readonly perDay?: number; readonly perNetwork: number }
  /** How messages call the application. */
  readonly appName: string
  readonly sender: {
    readonly sendFromEmailAddress?: string
    readonly sendFromEmailSenderName?: string
    readonly replyToEmailAddress?: string
  }
  /** Client ids by the name of a provider, such as `google`. */
  readonly oauthClientIds: Readonly<Record<string, string>>
  /** Further client ids of the same application, such as those of its phone apps. */
  readonly socialLinkingClientIds: readonly string[]
  readonly oauthRedirectUrl?: string
  readonly allow: Readonly<Record<Allowance, boolean>>
}

/** What may be done through a configuration; what is not named may not. */
export const ALLOWANCES = ['signup', 'otpEmail', 'otpSms', 'oauth', 'passkey', 'wallet'] as const
export type Allowance = (typeof ALLOWANCES)[number]
