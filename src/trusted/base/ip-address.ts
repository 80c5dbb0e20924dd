/** An address as a number. */
export type AddressBits = { readonly family: 4 | 6; readonly bits: bigint }

/** Dotted decimal or any text form of IPv6 without a zone; undefined for everything else. */
export function addressBits(text: string): AddressBits | undefined {
  const v4 = ipv4Bits(text)
  if (v4 !== undefined) return { family: 4, bits: v4 }
  const v6 = ipv6Bits(text)
  return v6 === undefined ? undefined : { family: 6, bits: v6 }
}

/** The canonical text: RFC 5952 for IPv6, always in hexadecimal. */
export function addressText({ family, bits }: AddressBits): string {
  if (family === 4) return split(bits, 4, 8n).join('.')
  const groups = split(bits, 8, 16n).map((group) => group.toString(16))
  // The URL standard writes the host so.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** Four decimal numbers, as resolvers and the URL parser write them. */
export function ipv4Bits(text: string): bigint | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const numbers = text.split('.').map(Number)
  return numbers.every((number) => number <= 255) ? joined(numbers, 8n) : undefined
}

/** RFC 4291, 2.2: eight groups, one run of zeros left out, the last two groups perhaps as an IPv4 address. */
export function ipv6Bits(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const front = groups(halves[0] ?? '', halves.length === 1)
  const back = groups(halves[1] ?? '', true)
  if (front === undefined || back === undefined) return undefined
  const missing = 8 - front.length - back.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  return joined([...front, ...Array.from({ length: missing }, () => 0), ...back], 16n)
}

function groups(text: string, mayEndInIpv4: boolean): readonly number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const last = mayEndInIpv4 ? ipv4Bits(parts.at(-1) ?? '') : undefined
  const hex = last === undefined ? parts : parts.slice(0, -1)
  if (!hex.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined
  const numbers = hex.map((part) => Number.parseInt(part, 16))
  return last === undefined ? numbers : [...numbers, Number(last >> 16n), Number(last & 0xffffn)]
}

function joined(numbers: readonly number[], width: bigint): bigint {
  return numbers.reduce((bits, number) => (bits << width) | BigInt(number), 0n)
}

function split(bits: bigint, count: number, width: bigint): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    Number((bits >> (BigInt(count - 1 - index) * width)) & ((1n << width) - 1n)),
  )
}
