import { boolean, label, optional, text } from '../../catalogue/shape.ts'
import { expirationSecondsText } from '../credentials/expiration-seconds.ts'

/** What is said of a key that the service makes and hands out in a bundle; for the fields of an intent. `checkTargetKey` looks at the target. */
export const bundleParams = {
  targetPublicKey: text({ max: 140 }),
  /** Without one the service gives it. */
  apiKeyName: optional(label),
  expirationSeconds: optional(expirationSecondsText),
}

export const invalidateParam = { invalidateExisting: optional(boolean) }
