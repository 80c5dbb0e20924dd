import { defineFailure, INVALID_ARGUMENT } from '../base/failure.ts'

export const invalidAddressFormat = defineFailure<{
  readonly format: string
  readonly curve: string
  readonly curvesThatFit: readonly string[]
}>({
  kind: 'invalidAddressFormat',
  code: INVALID_ARGUMENT,
  say: ({ format, curve, curvesThatFit }) =>
    `invalid address format: ${format} needs a key on ${curvesThatFit.join(' or ')}, this one is on ${curve}`,
})

/** The payload cannot be read in the encoding it was said to have, or that encoding does not suit the key. */
export const invalidPayloadEncoding = defineFailure<{ readonly what: string }>({
  kind: 'invalidPayloadEncoding',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `invalid payload encoding: ${what}`,
})

export const invalidHashFunction = defineFailure<{ readonly what: string }>({
  kind: 'invalidHashFunction',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `invalid hash function: ${what}`,
})

export const wrongDigestLength = defineFailure<{ readonly bytes: number }>({
  kind: 'wrongDigestLength',
  code: INVALID_ARGUMENT,
  say: ({ bytes }) => `expected a 32-bytes-long digest: HASH_FUNCTION_NO_OP was given ${bytes} bytes`,
})
