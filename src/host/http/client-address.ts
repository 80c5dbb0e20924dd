import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { unmapped } from '../../trusted/charter/ip-allowlist.ts'

/**
 * The source address of a request: the address of the socket; where that is a trusted proxy, the last address of
 * X-Forwarded-For that is not a trusted proxy. The header is ignored on other connections.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, 'headersDistinct'> & {
    readonly socket: { readonly remoteAddress?: string | undefined }
  },
  isTrustedProxy: (address: string) => boolean,
): string {
  let address = plain(request.socket.remoteAddress ?? '')
  if (!isTrustedProxy(address)) return address
  // Each proxy appends to the header, so a second header continues the first one.
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',')
  for (const hop of hops.reverse()) {
    if (hop.trim() === '') continue
    address = plain(hop.trim())
    if (!isTrustedProxy(address)) return address
  }
  return address
}

/**
 * Some proxies write the port too; it would make of one client as many as it has connections. Anything else stays as it
 * is.
 */
function plain(hop: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop
  return isIP(bare) === 0 ? hop : unmapped(bare)
}
