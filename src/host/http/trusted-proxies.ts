import { BlockList, isIP } from 'node:net'

/**
 * Whether an address lies in one of these ranges. An IPv4 address is the same one in its IPv6 form.
 *
 * @param ranges  addresses and CIDR blocks, each checked with `isAddressRange`
 */
export function trustedProxies(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const trusted = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const family = familyOf(network)
    if (prefix === undefined) trusted.addAddress(network, family)
    else trusted.addSubnet(network, Number(prefix), family)
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
}

/** An IPv4 or IPv6 address, or a CIDR block of more than no bits: one of none would believe everybody. */
export function isAddressRange(text: string): boolean {
  const [network = '', prefix, ...more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(network)] ?? 0
  if (bits === 0 || more.length > 0 || network.includes('%')) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}
