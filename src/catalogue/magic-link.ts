/**
 * The link that carries a code or a bundle: `%s` in the template replaced by it, percent-encoded.
 *
 * @returns  undefined without a template, or when no link comes of it that can be opened (apps may have their own scheme);
 *           never of a template that `isLinkTemplate` accepts
 */
export function magicLink(template: string | undefined, secret: string): string | undefined {
  if (template === undefined || !FIXED_SCHEME.test(template)) return undefined
  const link = template.replaceAll('%s', () => encodeURIComponent(secret))
  if (/[\p{C}\p{Z}]/u.test(link) || !URL.canParse(link)) return undefined
  return RUN_SCHEMES.includes(new URL(link).protocol) ? undefined : link
}

/** Whether a link comes of it, whatever the code or the bundle is. */
export function isLinkTemplate(template: string): boolean {
  return SAMPLES.every((secret) => magicLink(template, secret) !== undefined)
}

/** `%s` somewhere behind the scheme: no code decides what a link does. */
const FIXED_SCHEME = /^[a-z][a-z\d+.-]*:.*%s/isu // RFC 3986, 3.1

/** Schemes that some readers run instead of opening. */
const RUN_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']

/** What stands in for `%s` is digits, or letters and digits. As a host or a port not every number would do. */
const SAMPLES = ['0', '099999999', '999999999', 'AZ09', 'Bundle'.repeat(40)]
