import { type Shape, text } from '../../catalogue/shape.ts'

const sent = text({ min: 1, max: 64 })

/** A code in the clear. Records show it as an empty text, which is not a valid code. */
export const otpCode: Shape<string> = { ...sent, schema: { ...sent.schema, minLength: 0 } }
