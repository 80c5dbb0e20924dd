import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { InTheClear, overTls } from './over-tls.ts'
import { shortAnswer } from './short-answer.ts'
import { troubleOf } from './trouble-of.ts'

type Asked = {
  readonly key: string
  readonly bytes: Uint8Array
  readonly bound: string
  readonly signal: AbortSignal
}

/** A symmetric key of AWS KMS. Region, endpoint and credentials come from where the client looks for them. */
export function keyService() {
  return {
    wrap: async ({ key, bytes, bound, signal }: Asked) =>
      await asked(async (client) => {
        const command = new EncryptCommand({
          KeyId: key,
          Plaintext: bytes,
          EncryptionContext: contextOf(bound),
        })
        const { KeyId, CiphertextBlob } = await client.send(command, { abortSignal: signal })
        if (KeyId === undefined || CiphertextBlob === undefined) return { trouble: 'wrongAnswer' } as const
        return { key: KeyId, wrapped: CiphertextBlob }
      }),
    unwrap: async ({ key, bytes, bound, signal }: Asked) =>
      await asked(async (client) => {
        const command = new DecryptCommand({
          KeyId: key,
          CiphertextBlob: bytes,
          EncryptionContext: contextOf(bound),
        })
        const { KeyId, Plaintext } = await client.send(command, { abortSignal: signal })
        if (KeyId !== key || Plaintext === undefined) return { trouble: 'wrongAnswer' } as const
        return { unwrapped: Plaintext }
      }),
  }
}

/** AWS records it with each use, and an administrator can demand it in the policy of the key. */
function contextOf(bound: string) {
  return { 'claviger:root-key': bound }
}

async function asked<T>(ask: (client: KMSClient) => Promise<T>) {
  const client = new KMSClient({ streamCollector: shortAnswer })
  let at: string | undefined
  try {
    at = await client.config.region()
  } catch {
    // The client throws an error without a name of its own.
    return { trouble: 'noPlace' } as const
  }
  try {
    overTls(client)
    return await ask(client)
  } catch (error) {
    if (error instanceof InTheClear) return { trouble: 'inTheClear', at: error.host } as const
    return { ...troubleOf(error), at }
  } finally {
    client.destroy()
  }
}
