import { type AddressBits, addressBits, addressText } from '../base/ip-address.ts'

/** A network in a rule: its canonical text, or the reason why the text is no network, to follow the quoted text. */
type Network =
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
  const [address, length = '', ...more] = text.split('/')
  const known = addressBits(address ?? '')
  if (known === undefined || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(length))
    return refused('is not a network in CIDR notation, such as 192.0.2.0/24')
  const { family } = known
  const prefix = Number(length)
  if (prefix > BITS[family]) return refused(`has a prefix longer than ${BITS[family]} bits`)
  if (prefix < WIDEST[family]) return refused(`is too wide: the widest that is taken is /${WIDEST[family]}`)
  const rest = BigInt(BITS[family] - prefix)
  const bits = (known.bits >> rest) << rest
  // A request from such an address is known by its IPv4 form, so the rule would never match.
  if (family === 6 && isMapped(bits)) return refused('is an IPv4 network in IPv6 form: write it as IPv4')
  return { kind: 'network', family, cidr: `${addressText({ family, bits })}/${prefix}` }
}

/** @param cidr  as `readNetwork` names it */
export function holds(cidr: string, address: AddressBits): boolean {
  const [start = '', prefix] = cidr.split('/')
  const network = addressBits(start)
  if (network === undefined || network.family !== address.family) return false
  const rest = BigInt(BITS[network.family] - Number(prefix))
  return network.bits >> rest === address.bits >> rest
}

/** A socket that takes both families tells an IPv4 address in its IPv6 form (RFC 4291, 2.5.5.2). */
export function plainAddress(text: string): AddressBits | undefined {
  const address = addressBits(text)
  return address?.family === 6 && isMapped(address.bits)
    ? { family: 4, bits: address.bits & 0xffff_ffffn }
    : address
}

function isMapped(bits: bigint): boolean {
  return bits >> 32n === 0xffffn
}

function refused(because: string): Network {
  return { kind: 'refused', because }
}
