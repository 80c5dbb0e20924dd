import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'

/** An output pays to a script without an address, so policies could not see the recipient. */
export const unrecognizedScript = defineFailure({
  kind: 'unrecognizedScript',
  code: INVALID_ARGUMENT,
  say: () => 'failed to extract bitcoin address from script with error: UnrecognizedScript',
})

export const noInputToSign = defineFailure<{ readonly inputs: number }>({
  kind: 'noInputToSign',
  code: INVALID_ARGUMENT,
  say: ({ inputs }) =>
    `no input to sign: none of the ${inputs} inputs of the transaction belongs to the key that is to sign`,
})

/** An input belongs to the key, but its kind or its description in the PSBT is not supported. */
export const inputNotSigned = defineFailure<{ readonly input: number; readonly why: string }>({
  kind: 'inputNotSigned',
  code: INVALID_ARGUMENT,
  say: ({ input, why }) => `input ${input} of the transaction cannot be signed: ${why}`,
})
