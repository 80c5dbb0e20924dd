import { type Shape, text } from '../../catalogue/shape.ts'

const sent = text({ min: 1, max: 64 })

/** A code as it is sent in clear. Records show it as an empty text, which is none that anybody may send. */
export const otpCode: Shape<string> = { ...sent, schema: { ...sent.schema, minLength: 0 } }
