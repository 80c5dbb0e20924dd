import { timestamp } from '../../../trusted/charter/view.ts'
import type { PrivateKey } from '../../../trusted/objects/private-key.ts'

/** Its twin is for claims only. */
export function privateKeyView({ createdAt, updatedAt, twin: _, ...key }: PrivateKey) {
  return { ...key, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
