import type { Ms } from '../base/world.ts'

/** A message to a person, by mail or as a text message. The vault seals it; it is opened again when it is sent. */
export type Message = EmailMessage | TextMessage

export type EmailMessage = {
  readonly channel: 'email'
  readonly about:
    | 'otp'
    | 'emailAuth'
    | 'recovery'
    | 'invitation'
    | 'restored'
    | 'recovered'
    | 'organizationRecovery'
  readonly to: string
  /** The one-time code, for `otp`. */
  readonly code?: string
  /** The credential bundle, for `emailAuth` and `recovery`. */
  readonly bundle?: string
  /** For `restored`: when the copy was made, and until when what came after it may be lost. */
  readonly restored?: { readonly copiedAt: Ms; readonly lostAt: Ms }
  /** For `recovered`: when the root key was opened by its recovery. */
  readonly recoveredAt?: Ms
  /** For `organizationRecovery`: what has become of an attempt to add root users, and who they are to be. */
  readonly organizationRecovery?: {
    readonly state: RecoveryState
    readonly attemptId: string
    readonly hoursLeft: number
    readonly userNames: readonly string[]
  }
  /** The name of the organization that the message is about. */
  readonly organizationName: string
  /** The instant at which the code or the bundle stops working; absent where there is none. */
  readonly expiresAt?: Ms
  readonly customization: EmailCustomization
  readonly sender: EmailSender
}

export const RECOVERY_STATES = ['begun', 'goesOn', 'lapsed', 'stopped', 'completed'] as const

/** How it stands with an attempt to recover an organization. */
export type RecoveryState = (typeof RECOVERY_STATES)[number]

/** The customization of the interface, read and checked: the variables are an object already. */
export type EmailCustomization = {
  readonly appName?: string
  readonly logoUrl?: string
  /** Holds `%s` once, where the code or the bundle goes. */
  readonly magicLinkTemplate?: string
  readonly templateVariables?: Readonly<Record<string, string>>
  readonly templateId?: string
}

/** The sender that the request asked for. The operator's list of domains decides whether it is used. */
export type EmailSender = {
  readonly fromAddress?: string
  readonly fromName?: string
  readonly replyTo?: string
}

export type TextMessage = {
  readonly channel: 'sms'
  readonly about: 'otp'
  /** E.164. */
  readonly to: string
  readonly code: string
  readonly expiresAt: Ms
  readonly appName?: string
  /** Holds `{{.OtpCode}}`, where the code goes. */
  readonly template?: string
}
