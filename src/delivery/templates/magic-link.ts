/** Schemes that some readers run instead of opening. */
const RUN_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']

/**
 * The link that carries a code or a bundle: `%s` in the template replaced by it, percent-encoded.
 *
 * @returns  undefined without a template, or when no link comes of it that can be opened (apps may have their own scheme)
 */
export function magicLink(template: string | undefined, secret: string): string | undefined {
  if (template === undefined || !template.includes('%s')) return undefined
  const link = template.replaceAll('%s', () => encodeURIComponent(secret))
  if (/[\p{C}\p{Z}]/u.test(link) || !URL.canParse(link)) return undefined
  return RUN_SCHEMES.includes(new URL(link).protocol) ? undefined : link
}
