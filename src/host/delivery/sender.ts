import type { EmailSender } from '../../trusted/catalogue/message.ts'
import type { Mail } from './mailer.ts'
import { isPlainAddress } from './mailer.ts'

/** Domains, in lower case, that the operator lets requests send from; without their subdomains. */
export type SenderRules = { readonly senderDomains: readonly string[] }

export const DEFAULT_SENDER_NAME = 'Notifications'

/**
 * From whom a mail comes. An address of a domain that is not allowed is ignored with its name and reply address, and
 * the operator's own sender stands; a reply address must be allowed as well.
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
