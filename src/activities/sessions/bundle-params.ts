import { boolean, label, optional, type Shape, text } from '../../catalogue/shape.ts'
import { expirationSecondsText } from '../credentials/expiration-seconds.ts'

/** A name, or empty text for the one that the service gives. */
const nameOrNone: Shape<string> = {
  read: (value, at, reading) => (value === '' ? '' : label.read(value, at, reading)),
  schema: { type: 'string', maxLength: 255 },
}

/** What is said of a key that the service makes and hands out in a bundle; for the fields of an intent. `checkTargetKey` looks at the target. */
export const bundleParams = {
  targetPublicKey: text({ max: 140 }),
  apiKeyName: optional(nameOrNone),
  expirationSeconds: optional(expirationSecondsText),
}

export const invalidateParam = { invalidateExisting: optional(boolean) }
