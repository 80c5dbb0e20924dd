import { ipv4Bits, ipv6Bits } from './ip-address.ts'

/**
 * The result of checking the address of an outgoing request: the URL to use, or the reason of the refusal, worded to
 * follow "url".
 */
type Target =
  | { readonly kind: 'target'; readonly url: URL }
  | { readonly kind: 'refused'; readonly because: string }

/** `allowPrivate` is the development switch: it also allows http and hosts that are not public. */
export type TargetRules = { readonly allowPrivate: boolean }

const TARGET_CHARACTERS_MAX = 2048

/**
 * Checks by its text whether requests may be sent to this URL; the addresses that a name resolves to are checked again
 * when connecting. Hosts written as numbers (decimal, octal, hexadecimal, full-width) are read as the URL standard
 * reads them.
 */
export function checkTarget(text: string, rules: TargetRules): Target {
  if (text.length > TARGET_CHARACTERS_MAX)
    return refused(`is longer than ${TARGET_CHARACTERS_MAX} characters`)
  // The URL parser drops these silently; the stored URL would then differ from the one that is used.
  if (/[\p{Cc}\p{Z}\\]/u.test(text)) return refused('has a space, a control character or a backslash')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return refused('is not an absolute URL')
  const schemes = rules.allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) return refused('is not an https URL')
  if (url.username !== '' || url.password !== '') return refused('has a user name or a password')
  if (!rules.allowPrivate && !mayBePublic(url.hostname)) return refused('is not at a public address')
  return { kind: 'target', url }
}

/**
 * Whether an address is on the public internet: global unicast, and not reserved for a special purpose.
 *
 * An IPv4 address within an IPv6 one (mapped, or NAT64 under its well-known prefix) is judged as itself. Teredo, 6to4
 * and IPv4-compatible addresses are never public: they are obsolete, and hide their real destination.
 *
 * @param address  dotted decimal, or any text form of IPv6; anything else, for example with a zone, is not public
 * @see            IANA special-purpose address registries (RFC 6890)
 */
export function isPublicAddress(address: string): boolean {
  const v4 = ipv4Bits(address)
  if (v4 !== undefined) return isPublicIpv4(v4)
  const v6 = ipv6Bits(address)
  return v6 !== undefined && isPublicIpv6(v6)
}

/**
 * Names that resolve on one machine or one network only: RFC 6761, RFC 6762, RFC 8375, and the names reserved by ICANN.
 */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa']

function mayBePublic(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1))
  if (ipv4Bits(hostname) !== undefined) return isPublicAddress(hostname)
  const name = hostname.replace(/\.$/, '').toLowerCase()
  return name.includes('.') && !LOCAL_NAMES.some((local) => name.endsWith(`.${local}`))
}

function refused(because: string): Target {
  return { kind: 'refused', because }
}

type Range = readonly [address: string, prefixBits: number]

const NOT_PUBLIC_IPV4: readonly Range[] = [
  ['0.0.0.0', 8], // this network: RFC 791
  ['10.0.0.0', 8], // private: RFC 1918
  ['100.64.0.0', 10], // carrier-grade NAT: RFC 6598
  ['127.0.0.0', 8], // loopback: RFC 1122
  ['168.63.129.16', 32], // the host of an Azure virtual machine
  ['169.254.0.0', 16], // link local: RFC 3927; metadata of most clouds
  ['172.16.0.0', 12], // private: RFC 1918
  ['192.0.0.0', 24], // protocol assignments: RFC 6890
  ['192.0.2.0', 24], // documentation: RFC 5737
  ['192.88.99.0', 24], // 6to4 relays, out of use: RFC 7526
  ['192.168.0.0', 16], // private: RFC 1918
  ['198.18.0.0', 15], // benchmarks: RFC 2544
  ['198.51.100.0', 24], // documentation: RFC 5737
  ['203.0.113.0', 24], // documentation: RFC 5737
  ['224.0.0.0', 3], // multicast: RFC 5771; reserved: RFC 1112; broadcast: RFC 919
]

const GLOBAL_UNICAST_IPV6: Range = ['2000::', 3] // RFC 4291, 2.4
const MAPPED_IPV4: Range = ['::ffff:0:0', 96] // RFC 4291, 2.5.5.2
const NAT64: Range = ['64:ff9b::', 96] // RFC 6052

const NOT_PUBLIC_IPV6: readonly Range[] = [
  ['2001::', 23], // protocol assignments: RFC 2928; Teredo: RFC 4380; benchmarks: RFC 5180; ORCHID: RFC 7343
  ['2001:db8::', 32], // documentation: RFC 3849
  ['2002::', 16], // 6to4: RFC 3056
  ['3fff::', 20], // documentation: RFC 9637
]

function isPublicIpv4(bits: bigint): boolean {
  return !NOT_PUBLIC_IPV4.some((range) => within(bits, range, ipv4Bits, 32))
}

function isPublicIpv6(bits: bigint): boolean {
  if (within(bits, MAPPED_IPV4, ipv6Bits, 128) || within(bits, NAT64, ipv6Bits, 128))
    return isPublicIpv4(bits & 0xffff_ffffn)
  if (!within(bits, GLOBAL_UNICAST_IPV6, ipv6Bits, 128)) return false
  return !NOT_PUBLIC_IPV6.some((range) => within(bits, range, ipv6Bits, 128))
}

function within(
  bits: bigint,
  [address, prefixBits]: Range,
  read: (text: string) => bigint | undefined,
  width: number,
): boolean {
  const start = read(address)
  const rest = BigInt(width - prefixBits)
  return start !== undefined && bits >> rest === start >> rest
}
