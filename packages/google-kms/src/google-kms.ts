import { KeyManagementServiceClient } from '@google-cloud/kms'
import { crc32c } from './crc32c.ts'
import { endpointOf } from './endpoint-of.ts'
import { troubleOf } from './trouble-of.ts'

type Environment = { readonly [name: string]: string | undefined }

type Asked = {
  readonly key: string
  readonly bytes: Uint8Array
  readonly bound: string
  readonly signal: AbortSignal
}

// The client would try for a minute and then say that time has run out, whatever it was. Who wants the key asks again,
// or a second seal.
const retry = null

/** What this service answers has a few KiB. */
const ANSWER_BYTES_MAX = 1024 * 1024
const PUBLIC = 'cloudkms.googleapis.com'

/** A symmetric key of Google Cloud KMS, over REST. Credentials come from where the client looks for them (ADC). */
export function keyService(environment: Environment) {
  // The client would write each request and each answer to the log, with the keys in them.
  delete process.env['GOOGLE_SDK_NODE_LOGGING']
  return {
    wrap: async ({ key, bytes, bound, signal }: Asked) =>
      await asked(environment, async (client) => {
        const aad = aadOf(bound)
        const [answer] = await client.encrypt(
          {
            name: key,
            plaintext: bytes,
            plaintextCrc32c: { value: crc32c(bytes) },
            additionalAuthenticatedData: aad,
            additionalAuthenticatedDataCrc32c: { value: crc32c(aad) },
          },
          { retry, signal },
        )
        const wrapped = bytesIn(answer.ciphertext)
        const isRight =
          answer.verifiedPlaintextCrc32c === true &&
          answer.verifiedAdditionalAuthenticatedDataCrc32c === true &&
          answer.name?.startsWith(`${key}/`) === true &&
          isChecksumOf(wrapped, answer.ciphertextCrc32c)
        return isRight ? { key, wrapped } : ({ trouble: 'wrongAnswer' } as const)
      }),
    unwrap: async ({ key, bytes, bound, signal }: Asked) =>
      await asked(environment, async (client) => {
        const aad = aadOf(bound)
        const [answer] = await client.decrypt(
          {
            name: key,
            ciphertext: bytes,
            ciphertextCrc32c: { value: crc32c(bytes) },
            additionalAuthenticatedData: aad,
            additionalAuthenticatedDataCrc32c: { value: crc32c(aad) },
          },
          { retry, signal },
        )
        const unwrapped = bytesIn(answer.plaintext)
        const isRight = isChecksumOf(unwrapped, answer.plaintextCrc32c)
        return isRight ? { unwrapped } : ({ trouble: 'wrongAnswer' } as const)
      }),
  }
}

function aadOf(bound: string): Uint8Array {
  return new TextEncoder().encode(`claviger root key ${bound}`)
}

function bytesIn(field: Uint8Array | string | null | undefined): Uint8Array {
  if (field === null || field === undefined) return new Uint8Array()
  return typeof field === 'string' ? Buffer.from(field, 'base64') : field
}

/** @param field  a number of 64 bits, which the client gives as what it likes */
function isChecksumOf(bytes: Uint8Array, field: { readonly value?: unknown } | null | undefined): boolean {
  return bytes.length > 0 && String(field?.value) === String(crc32c(bytes))
}

async function asked<T>(environment: Environment, ask: (client: KeyManagementServiceClient) => Promise<T>) {
  const endpoint = endpointOf(environment)
  if (endpoint.kind === 'wrong') return { trouble: endpoint.trouble, at: endpoint.at } as const
  const { at, options } = endpoint
  const client = new KeyManagementServiceClient({ fallback: true, ...options })
  try {
    const credentials = await client.auth.getClient()
    const { transporter } = credentials
    // The client would send the key on, also in the clear.
    transporter.defaults.redirect = 'error'
    // It would collect an answer without end.
    transporter.defaults.size = ANSWER_BYTES_MAX
    // A machine without an account gets 404 for its token, which would be taken for an answer about the key.
    await credentials.getRequestHeaders(`https://${at ?? PUBLIC}/`)
  } catch {
    // The client says at length where it has looked.
    return { trouble: 'noCredentials', at } as const
  }
  try {
    return await ask(client)
  } catch (error) {
    return { ...troubleOf(error), at }
  } finally {
    await client.close()
  }
}
