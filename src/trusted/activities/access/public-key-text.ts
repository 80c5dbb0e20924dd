import { text } from '../../catalogue/shape.ts'

/**
 * The public key of an API key, in hexadecimal. An empty text is refused, because it could be mistaken for the whole
 * organization.
 */
export const publicKeyText = text({ min: 1, max: 140 })
