import { timestamp } from '../../charter/view.ts'
import type { PrivateKey } from '../../activities/private-keys/private-key.ts'

export function privateKeyView({ createdAt, updatedAt, ...key }: PrivateKey) {
  return { ...key, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
