/** The permissions of a page in addition to the defaults. */
type Grants = {
  /** Sources of styles, `'self'` unless given. */
  readonly style?: string
  /** The origins that may show the page in a frame; none by default. */
  readonly frameAncestors?: string
}

/**
 * The headers of a page that the service shows: it loads scripts and styles of its own files and talks to the service
 * that it came from, no text becomes a script or a part of the page, and pages of other origins neither frame it nor
 * reach its window.
 */
export function pageHeaders({
  style = "'self'",
  frameAncestors = "'none'",
}: Grants = {}): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
