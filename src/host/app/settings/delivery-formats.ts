import { isPlainAddress } from '../../delivery/mailer.ts'
import { DEFAULT_SENDER_NAME } from '../../delivery/sender.ts'
import { smtpSettings } from '../../delivery/smtp-settings.ts'
import { commaSeparated } from './plain-formats.ts'
import type { Source } from './setting.ts'

/** It is never quoted, because it may contain a password. */
export function smtpUrl(text: string, name: string, { problems }: Source): string {
  if (smtpSettings(text) === undefined)
    problems.push(
      `${name} is not of the form smtps://user:password@host:port or smtp://… (with ?tls=none for a server without TLS)`,
    )
  return text
}

type Mailbox = { readonly address: string; readonly name: string }

/** `Name <address>`, `"Name" <address>` or an address. */
export function mailbox(text: string, setting: string, { problems }: Source): Mailbox {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = inBrackets ?? text.trim()
  if (!isPlainAddress(address) || /\p{Cc}/u.test(name))
    problems.push(`${setting} is ${JSON.stringify(text)}: it is an address, or Name <address>`)
  const bare = name.trim().replace(/^"(.*)"$/, '$1')
  return { address, name: bare === '' ? DEFAULT_SENDER_NAME : bare }
}

const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** Domains between commas, read into lower case. */
export function domains(text: string, name: string, { problems }: Source): readonly string[] {
  const named = commaSeparated(text).map((domain) => domain.toLowerCase())
  for (const domain of named)
    if (!DOMAIN.test(domain))
      problems.push(`${name} names ${JSON.stringify(domain)}: it must be a domain such as example.com`)
  return named
}

/** A text of this form. It is not quoted: an operator who mixes up two settings may have put a secret here. */
export function matching(form: RegExp, told: string) {
  return (text: string, name: string, { problems }: Source): string => {
    if (!form.test(text)) problems.push(`${name} must be ${told}`)
    return text
  }
}
