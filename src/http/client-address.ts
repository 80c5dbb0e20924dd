import type { IncomingMessage } from 'node:http'
import { unmapped } from '../charter/ip-allowlist.ts'

/**
 * Where a request came from: the address of the socket; where that is a trusted proxy, the last address of X-Forwarded-For that
 * is not one. What anybody else writes into that header is not looked at.
 */
export function clientAddressOf(
  {
    socket,
    headersDistinct,
  }: Pick<IncomingMessage, 'headersDistinct'> & {
    readonly socket: { readonly remoteAddress?: string | undefined }
  },
  isTrustedProxy: (address: string) => boolean,
): string {
  const forwarded = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',')
  const hops = [...forwarded.map((hop) => hop.trim()), unmapped(socket.remoteAddress ?? '')]
  let address = hops.pop() ?? ''
  while (isTrustedProxy(address) && (hops.at(-1) ?? '') !== '') address = hops.pop() ?? ''
  return address
}
