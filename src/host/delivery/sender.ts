import type { EmailSender } from '../../trusted/catalogue/message.ts'
import type { Mail } from './mailer.ts'
import { isPlainAddress } from './mailer.ts'

/** The permitted domains for senders of requests, in lower case, without their subdomains. */
export type SenderRules = { readonly senderDomains: readonly string[] }

export const DEFAULT_SENDER_NAME = 'Notifications'

/**
 * The sender of a mail. An address of another domain is ignored together with its name and reply address, and the
 * operator's own sender is used; a reply address must be allowed as well.
 */
export function senderOf(
  { fromAddress, fromName, replyTo }: EmailSender,
  rules: SenderRules,
): Pick<Mail, 'fromAddress' | 'fromName' | 'replyTo'> {
  if (fromAddress === undefined || !isAllowed(fromAddress, rules)) return {}
  const reply = replyTo !== undefined && isAllowed(replyTo, rules) ? { replyTo } : {}
  return { fromAddress, fromName: fromName ?? DEFAULT_SENDER_NAME, ...reply }
}

function isAllowed(address: string, { senderDomains }: SenderRules): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return isPlainAddress(address) && senderDomains.includes(domain)
}
