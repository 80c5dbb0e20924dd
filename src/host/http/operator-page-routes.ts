import { forThisMachine } from './for-this-machine.ts'
import { pageHeaders } from './page-headers.ts'
import type { Route } from './route.ts'

/**
 * A page at the port for operators and at no other. It is opened at this machine or through a tunnel to it: a page of somebody else
 * in the operator's browser reads nothing.
 */
export function operatorPageRoutes(of: {
  readonly page: (languages: string) => Promise<string>
  readonly style: string
}): ReadonlyMap<string, Route> {
  const shown = (contentType: string, body: string) => ({
    kind: 'ok' as const,
    body,
    contentType: `${contentType}; charset=utf-8`,
    headers: pageHeaders(),
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
