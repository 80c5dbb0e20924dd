/** A transfer of nothing from an account to itself, unsigned (EIP-1559), in hexadecimal: to ask policies about. */
export function nothingSent(address: string, chainId: bigint): string {
  const fields = [
    number(chainId),
    EMPTY,
    number(1n),
    number(1n),
    number(21_000n),
    bytes(address),
    EMPTY,
    EMPTY,
    LIST,
  ]
  const payload = fields.join('')
  return `02${(0xc0 + payload.length / 2).toString(16)}${payload}`
}

// RLP: the text of no bytes, which is also the number 0, and the empty list.
const EMPTY = '80'
const LIST = 'c0'

/** Fewer than 56 bytes in all: an address is 20, and a chain id of policies has at most 8. */
function number(value: bigint): string {
  const hex = value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return value < 128n ? even : `${(0x80 + even.length / 2).toString(16)}${even}`
}

function bytes(hex: string): string {
  const digits = hex.replace(/^0x/, '')
  return `${(0x80 + digits.length / 2).toString(16)}${digits}`
}
