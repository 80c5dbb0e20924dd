import { isLoopback } from '../base/loopback.ts'
/**
 * The link that carries a code or a bundle: `%s` in the template replaced by it, percent-encoded.
 *
 * @returns  undefined without a template, or when no link comes of it that can be opened (apps may have their own
 *           scheme); never of a template that `isLinkTemplate` accepts
 */
export function magicLink(template: string | undefined, secret: string): string | undefined {
  if (template === undefined || !FIXED_SCHEME.test(template)) return undefined
  const link = template.replaceAll('%s', () => encodeURIComponent(secret))
  if (/[\p{C}\p{Z}]/u.test(link) || !URL.canParse(link)) return undefined
  return isOpened(new URL(link)) ? link : undefined
}

/** Whether the template gives a link for every code or bundle, and contains no markup. */
export function isLinkTemplate(template: string): boolean {
  return !MARKUP.test(template) && SAMPLES.every((secret) => magicLink(template, secret) !== undefined)
}

/** `%s` somewhere behind the scheme: no code decides what a link does. */
const FIXED_SCHEME = /^[a-z][a-z\d+.-]*:.*%s/isu // RFC 3986, 3.1

/** Characters that a link in a mail does not need, and that a page which shows the link may take for markup. */
const MARKUP = /["'<>`\\]/

/**
 * Whether the link opens a page over TLS, a page on the developer's own machine, or an app by a scheme of its own with
 * an authority (`app://…`). This leaves out links that write mails, call, send texts, or run something.
 */
function isOpened({ protocol, hostname, href }: URL): boolean {
  if (protocol === 'https:') return true
  if (protocol === 'http:') return isLoopback(hostname)
  return href.startsWith(`${protocol}//`) && !OTHERS.includes(protocol)
}

/** Schemes that belong to no app of the sender, and could be written with an authority. */
const OTHERS = [
  ...['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:', 'view-source:', 'intent:', 'mailto:'],
  ...[
    'tel:',
    'sms:',
    'ftp:',
    'sftp:',
    'ssh:',
    'telnet:',
    'smb:',
    'ldap:',
    'ws:',
    'wss:',
    'chrome:',
    'resource:',
  ],
]

/** Samples of the text for `%s`: digits, or letters and digits. Not every number would do as a host or a port. */
const SAMPLES = ['0', '099999999', '999999999', 'AZ09', 'Bundle'.repeat(40)]
