import { hash } from 'node:crypto'

export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer')
}
