import { fromHex } from '../../base/bytes.ts'
import type { JsonValue } from '../../base/strict-json.ts'
import { invalidPayloadEncoding } from '../failures.ts'
import { quote } from '../quote.ts'

/**
 * An Ethereum address in a payload: `0x` and 40 hexadecimal digits. Their EIP-55 checksum is not checked: clients send
 * lower case, mixed case and, for addresses of other chains, checksums by other rules.
 *
 * @returns 20 bytes
 * @throws  Failure `invalidPayloadEncoding`
 */
export function readAccount(value: JsonValue, at: string): Uint8Array {
  const account = typeof value === 'string' && value.startsWith('0x') ? fromHex(value.slice(2)) : undefined
  if (account?.length === 20) return account
  throw invalidPayloadEncoding({
    what: `${at}: expected an address of 0x and 40 hexadecimal digits, got ${quote(value)}`,
  })
}
