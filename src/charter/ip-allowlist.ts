import { BlockList, isIP } from 'node:net'
import type { Charter, IpAllowlist } from './charter.ts'

/**
 * Whether a credential of this organization may be used from there. The list of the credential itself goes before the list of
 * the organization, when it has rules; without a list that is switched on for the organization, every address will do.
 *
 * @param publicKey  of an API key; undefined for any other credential
 * @param address    IPv4 or IPv6, as the socket or a trusted proxy tells it
 */
export function isAddressAllowed(
  { ipAllowlists }: Pick<Charter, 'ipAllowlists'>,
  publicKey: string | undefined,
  address: string,
): boolean {
  if (ipAllowlists.length === 0) return true
  const general = ipAllowlists.find((list) => list.publicKey === undefined)
  if (general?.enabled !== true) return true
  const own = ipAllowlists.find((list) => list.publicKey !== undefined && list.publicKey === publicKey)
  const list = own !== undefined && own.enabled && own.rules.length > 0 ? own : general
  return allows(list, address)
}

function allows({ rules, onEvaluationError }: IpAllowlist, address: string): boolean {
  const plain = unmapped(address)
  const family = isIP(plain)
  if (family === 0) return onEvaluationError === 'ALLOW'
  const allowed = new BlockList()
  for (const { cidr } of rules) {
    const [network = '', prefix] = cidr.split('/')
    allowed.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6')
  }
  return allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}

/** A socket that takes both families tells an IPv4 address in its IPv6 form (RFC 4291, 2.5.5.2). */
export function unmapped(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address
}
