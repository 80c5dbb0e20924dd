/**
 * The headers of a page that other pages embed. It loads its own script and style and nothing else, reaches no network,
 * opens no window, and is shown in no page but those of the allowed origins. The sandbox is that of the published
 * clients, so a page that leaves it away gains nothing.
 *
 * @param allowedOrigins  as browsers write them, such as `https://shop.example`; none means that no page may embed it
 */
export function frameHeaders(allowedOrigins: readonly string[]): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${allowedOrigins.length === 0 ? "'none'" : allowedOrigins.join(' ')}`,
    'sandbox allow-scripts allow-same-origin',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    // A page that isolates itself may embed a frame that says both.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    // No page of this site shares memory or a document.domain with the frame.
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'camera=(), clipboard-read=(), clipboard-write=(self), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
