import { isIP } from 'node:net'

/**
 * The network that rate limits count by: an IPv4 address, or the first 64 bits of an IPv6 address, because a subscriber
 * can change the rest at will (RFC 6177, RFC 8981). All texts that are not an address count as one network.
 */
export function networkOf(address: string): string {
  const family = isIP(address)
  if (family === 4) return address
  if (family !== 6) return 'unknown'
  const [front = '', back] = address.split('::')
  const groups = front === '' ? [] : front.split(':')
  // An IPv4 address at the end stands for the last two of eight groups: never in the first four, but it counts.
  const behind = back === undefined || back === '' ? [] : back.split(':')
  const missing = 8 - groups.length - behind.length - (behind.at(-1)?.includes('.') === true ? 1 : 0)
  const all = back === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...behind]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
