import * as z from 'zod'

/** A request to sign, as it is tried and as it is submitted: the same object, so that what is shown is signed. */
export type SigningRequest = {
  readonly operation: 'sign_transaction' | 'sign_raw_payload'
  readonly type: string
  readonly parameters: { readonly [name: string]: string }
}

const CHARACTERS_MAX = 262_144
const MESSAGE_CHARACTERS_MAX = 65_536

const signWith = z
  .string()
  .min(1)
  .max(256)
  .describe(
    'Address of a wallet account, address of a private key, or id of a private key; see the tool addresses',
  )

const wellFormed = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed(), 'has a lone surrogate: send well-formed Unicode')

export const transactionArguments = z.strictObject({
  signWith,
  chain: z
    .enum(['ethereum', 'solana', 'bitcoin', 'tron', 'tempo'])
    .describe('ethereum: also every chain like it'),
  unsignedTransaction: z
    .string()
    .min(1)
    .max(CHARACTERS_MAX)
    .regex(/^(0x)?[0-9a-fA-F]+$/, 'must be hexadecimal digits')
    .describe('The unsigned transaction, serialized, in hexadecimal (bitcoin: the PSBT)'),
})

export const messageArguments = z.strictObject({
  signWith,
  chain: z
    .enum(['ethereum', 'solana'])
    .describe('ethereum: a personal message (EIP-191); solana: the bytes of the text'),
  message: wellFormed(MESSAGE_CHARACTERS_MAX),
})

export const typedDataArguments = z.strictObject({
  signWith,
  typedData: wellFormed(CHARACTERS_MAX).describe(
    'EIP-712 as JSON text: {"types":…,"primaryType":…,"domain":…,"message":…}; the text is what is read and signed',
  ),
})

export const payloadArguments = z.strictObject({
  signWith,
  payload: wellFormed(CHARACTERS_MAX),
  encoding: z.enum(['PAYLOAD_ENCODING_HEXADECIMAL', 'PAYLOAD_ENCODING_TEXT_UTF8']),
  hashFunction: z
    .enum([
      'HASH_FUNCTION_NO_OP',
      'HASH_FUNCTION_SHA256',
      'HASH_FUNCTION_KECCAK256',
      'HASH_FUNCTION_NOT_APPLICABLE',
    ])
    .describe('NO_OP: the payload is a digest of 32 bytes; NOT_APPLICABLE: for Ed25519 keys'),
})

export function transactionRequest(asked: z.infer<typeof transactionArguments>): SigningRequest {
  const { signWith: by, chain, unsignedTransaction } = asked
  return {
    operation: 'sign_transaction',
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: { signWith: by, unsignedTransaction, type: `TRANSACTION_TYPE_${chain.toUpperCase()}` },
  }
}

export function messageRequest({
  signWith: by,
  chain,
  message,
}: z.infer<typeof messageArguments>): SigningRequest {
  const bytes = Buffer.from(message)
  return rawRequest({
    signWith: by,
    payload: (chain === 'solana' ? bytes : personalMessage(bytes)).toString('hex'),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: chain === 'solana' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_KECCAK256',
  })
}

/** EIP-191, version 0x45. */
function personalMessage(message: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${message.length}`), message])
}

export function typedDataRequest({
  signWith: by,
  typedData,
}: z.infer<typeof typedDataArguments>): SigningRequest {
  return rawRequest({
    signWith: by,
    payload: typedData,
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  })
}

export function payloadRequest(asked: z.infer<typeof payloadArguments>): SigningRequest {
  return rawRequest(asked)
}

function rawRequest(parameters: SigningRequest['parameters']): SigningRequest {
  return { operation: 'sign_raw_payload', type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters }
}
