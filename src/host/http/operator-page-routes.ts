import { forThisMachine } from './for-this-machine.ts'
import { pageHeaders } from './page-headers.ts'
import type { Route } from './route.ts'

/**
 * A page at the operator's port only. It is opened on this machine or through a tunnel; other pages in the operator's
 * browser cannot read it.
 */
export function operatorPageRoutes(of: {
  readonly page: (languages: string) => Promise<string>
  readonly style: string
}): ReadonlyMap<string, Route> {
  const shown = (contentType: string, body: string) => ({
    kind: 'ok' as const,
    body,
    contentType: `${contentType}; charset=utf-8`,
    headers: pageHeaders,
  })
  return new Map<string, Route>([
    [
      'GET /status',
      forThisMachine(async ({ headers }) =>
        shown('text/html', await of.page(headers['accept-language']?.join() ?? '')),
      ),
    ],
    ['GET /status.css', forThisMachine(async () => shown('text/css', of.style))],
  ])
}
