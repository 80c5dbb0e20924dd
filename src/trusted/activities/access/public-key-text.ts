import { text } from '../../catalogue/shape.ts'

/** Of an API key, in hexadecimal. An empty one is refused: it would be taken for the organization as a whole. */
export const publicKeyText = text({ min: 1, max: 140 })
