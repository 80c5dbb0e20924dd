import { bech32m } from '@scure/base'
import { concat } from '../base/bytes.ts'

const FIELD_1_BYTES = 0x0a // protobuf: field 1, length-delimited

/** Bech32m of a protobuf message whose only field, 1, is the compressed identity key (33 bytes). */
export function sparkAddress(prefix: 'spark' | 'sparkrt'): (publicKey: Uint8Array) => string {
  return (publicKey) =>
    bech32m.encode(prefix, bech32m.toWords(concat(Uint8Array.of(FIELD_1_BYTES, publicKey.length), publicKey)))
}
