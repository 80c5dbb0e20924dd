import { timestamp } from '../../../trusted/charter/view.ts'
import type { PrivateKey } from '../../../trusted/objects/private-key.ts'

export function privateKeyView({ createdAt, updatedAt, ...key }: PrivateKey) {
  return { ...key, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
