import { isIP } from 'node:net'

/** A network as rules name it: its canonical text, or why it is none, to be put after what was sent. */
export type Network =
  | { readonly kind: 'network'; readonly family: 4 | 6; readonly cidr: string }
  | { readonly kind: 'refused'; readonly because: string }

const WIDEST = { 4: 20, 6: 48 } as const
const BITS = { 4: 32, 6: 128 } as const

/**
 * Reads a network in CIDR notation, and names it by its first address: `192.0.2.77/24` is `192.0.2.0/24`.
 *
 * @see  RFC 4632, 3.1; RFC 4291, 2.3; RFC 5952 for the canonical text of IPv6
 */
export function readNetwork(text: string): Network {
  const [address = '', length = '', ...more] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if ((family !== 4 && family !== 6) || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length))
    return refused('is not a network in CIDR notation, such as 192.0.2.0/24')
  const prefix = Number(length)
  if (prefix > BITS[family]) return refused(`has a prefix longer than ${BITS[family]} bits`)
  if (prefix < WIDEST[family]) return refused(`is too wide: the widest that is taken is /${WIDEST[family]}`)
  const rest = BigInt(BITS[family] - prefix)
  const start = (bitsOf(address, family) >> rest) << rest
  // What comes from such an address is known by its IPv4 form, so the rule would never be met.
  if (family === 6 && start >> 32n === 0xffffn)
    return refused('is an IPv4 network in IPv6 form: write it as IPv4')
  return { kind: 'network', family, cidr: `${addressOf(start, family)}/${prefix}` }
}

function refused(because: string): Network {
  return { kind: 'refused', because }
}

function bitsOf(address: string, family: 4 | 6): bigint {
  const [groups, size, radix] =
    family === 4 ? [address.split('.'), 8n, 10] : [eightGroups(canonicalIpv6(address)), 16n, 16]
  return groups.reduce((bits, group) => (bits << size) | BigInt(Number.parseInt(group, radix)), 0n)
}

function addressOf(bits: bigint, family: 4 | 6): string {
  if (family === 4) return groupsOf(bits, 4, 8n).join('.')
  const groups = groupsOf(bits, 8, 16n).map((group) => group.toString(16))
  return canonicalIpv6(groups.join(':'))
}

function groupsOf(bits: bigint, count: number, size: bigint): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    Number((bits >> (BigInt(count - 1 - index) * size)) & ((1n << size) - 1n)),
  )
}

/** The URL standard writes an IPv6 host as RFC 5952 does, always in hexadecimal. */
function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

function eightGroups(canonical: string): readonly string[] {
  const [front = [], back] = canonical.split('::').map((half) => (half === '' ? [] : half.split(':')))
  if (back === undefined) return front
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back]
}
