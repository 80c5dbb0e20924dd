import { boolean, label, optional, text } from '../../catalogue/shape.ts'
import { expirationSecondsText } from '../credentials/expiration-seconds.ts'

/**
 * The parameters of a key that the service creates and returns in a bundle; for the fields of an intent.
 * `checkTargetKey` checks the target.
 */
export const bundleParams = {
  targetPublicKey: text({ max: 140 }),
  /** The default is a name by the service. */
  apiKeyName: optional(label),
  expirationSeconds: optional(expirationSecondsText),
}

export const invalidateParam = { invalidateExisting: optional(boolean) }
