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

/** The payload cannot be read in the declared encoding, or the encoding does not fit the key. */
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

/** The bytes are not a transaction in its canonical encoding. */
export const unreadableTransaction = defineFailure<{ readonly what: string }>({
  kind: 'unreadableTransaction',
  code: INVALID_ARGUMENT,
  say: ({ what }) => `failed to parse transaction: ${what}`,
})

/** The bytes may be a transaction of an unsupported kind. */
export const unsupportedTransactionType = defineFailure<{ readonly what: string }>({
  kind: 'unsupportedTransactionType',
  code: INVALID_ARGUMENT,
  errorCode: 'UNSUPPORTED_TRANSACTION_TYPE',
  say: ({ what }) => `failed to parse transaction: UNSUPPORTED_TRANSACTION_TYPE: ${what}`,
})

/** The bytes were read, but their content can never be valid on the chain, or cannot be shown to policies. */
export const invalidTransaction = defineFailure<{ readonly what: string }>({
  kind: 'invalidTransaction',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_TRANSACTION',
  say: ({ what }) => `failed to parse transaction: INVALID_TRANSACTION: ${what}`,
})

/** The curve of the key does not fit the chain of the transaction. */
export const wrongCurveForTransaction = defineFailure<{
  readonly chain: string
  readonly needed: string
  readonly curve: string
}>({
  kind: 'wrongCurveForTransaction',
  code: INVALID_ARGUMENT,
  say: ({ chain, needed, curve }) =>
    `invalid curve: a transaction of ${chain} needs a key on ${needed}, this one is on ${curve}`,
})
