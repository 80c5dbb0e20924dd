import { lowerAscii } from '../base/lower-ascii.ts'

/**
 * The mailbox or telephone to which a contact is delivered, for counting messages: without regard to case, to the text
 * after a plus sign (RFC 5233), and to dots where Google delivers. It identifies nobody: two addresses of one mailbox
 * here may belong to two people elsewhere.
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
