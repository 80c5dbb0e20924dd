/** Of polynomial 0x1EDC6F41 (Castagnoli), bits in reverse: RFC 3720, appendix B.4. */
const POLYNOMIAL = 0x82f63b78

/** The checksum by which Google Cloud KMS and its callers notice bytes that were changed on the way. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  }
  return ~crc >>> 0
}
