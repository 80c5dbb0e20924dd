import { lowerAscii } from '../base/lower-ascii.ts'

/**
 * The mailbox or telephone that a contact is delivered to, for counting what is sent there: without regard to case, to what
 * follows a plus sign (RFC 5233), and to dots where Google delivers. It says nothing about who somebody is: two addresses of one
 * mailbox here may be two people's elsewhere.
 */
export function mailboxOf(contact: string): string {
  const text = lowerAscii(contact.trim())
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const [local = ''] = text.slice(0, at).split('+')
  const domain = text.slice(at + 1)
  return GOOGLE_DOMAINS.includes(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}

const GOOGLE_DOMAINS = ['gmail.com', 'googlemail.com']
