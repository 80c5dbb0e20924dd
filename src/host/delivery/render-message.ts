import type { EmailMessage, TextMessage } from '../../trusted/catalogue/message.ts'
import type { Mail } from './mailer.ts'
import { type SenderRules, senderOf } from './sender.ts'
import { emailAuthMail } from './templates/email-auth-mail.ts'
import { invitationMail } from './templates/invitation-mail.ts'
import { type Letter, letterTexts } from './templates/letter.ts'
import { oneTimeCodeMail } from './templates/one-time-code-mail.ts'
import { oneTimeCodeText } from './templates/one-time-code-text.ts'
import { organizationRecoveryMail } from './templates/organization-recovery-mail.ts'
import { recoveredMail } from './templates/recovered-mail.ts'
import { recoveryMail } from './templates/recovery-mail.ts'
import { restoredMail } from './templates/restored-mail.ts'

/** The mail of a message, without its id. */
export function renderMail(message: EmailMessage, rules: SenderRules): Omit<Mail, 'messageId'> {
  return {
    to: message.to,
    ...letterTexts(LETTERS[message.about](message)),
    ...senderOf(message.sender, rules),
  }
}

export function renderText(message: TextMessage): { readonly to: string; readonly text: string } {
  return { to: message.to, text: oneTimeCodeText(message) }
}

const LETTERS: Readonly<Record<EmailMessage['about'], (message: EmailMessage) => Letter>> = {
  otp: oneTimeCodeMail,
  emailAuth: emailAuthMail,
  recovery: recoveryMail,
  invitation: invitationMail,
  restored: restoredMail,
  recovered: recoveredMail,
  organizationRecovery: organizationRecoveryMail,
}
