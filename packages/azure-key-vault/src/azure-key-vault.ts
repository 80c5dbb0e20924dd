import { DefaultAzureCredential } from '@azure/identity'
import { CryptographyClient, KeyClient } from '@azure/keyvault-keys'
import { shortAnswer } from './short-answer.ts'
import { troubleOf } from './trouble-of.ts'

type Environment = { readonly [name: string]: string | undefined }

type Asked = {
  readonly key: string
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

const ALGORITHM = 'RSA-OAEP-256'
// The clients would try for many seconds. Who wants the key asks again, or a second seal.
const ONCE = {
  retryOptions: { maxRetries: 0 },
  additionalPolicies: [{ policy: shortAnswer, position: 'perCall' as const }],
}

/** An RSA key of Azure Key Vault. Credentials come from where `DefaultAzureCredential` looks for them. */
export function keyService(environment: Environment) {
  return {
    wrap: async ({ key, bytes, signal }: Asked) =>
      await asked(environment, async ({ vault, credential }) => {
        const versioned = key.includes('/') ? key : await newestVersion(key, { vault, credential, signal })
        const client = clientOf(versioned, { vault, credential })
        const { result } = await client.wrapKey(ALGORITHM, bytes, { abortSignal: signal })
        return isThere(result) ? { key: versioned, wrapped: result } : ({ trouble: 'wrongAnswer' } as const)
      }),
    unwrap: async ({ key, bytes, signal }: Asked) =>
      await asked(environment, async ({ vault, credential }) => {
        const client = clientOf(key, { vault, credential })
        const { result } = await client.unwrapKey(ALGORITHM, bytes, { abortSignal: signal })
        return isThere(result) ? { unwrapped: result } : ({ trouble: 'wrongAnswer' } as const)
      }),
  }
}

/** The client promises a result, and gives none where the service has answered none. */
function isThere(result: Uint8Array | undefined): result is Uint8Array {
  return result !== undefined && result.length > 0
}

/**
 * A client that leaves everything to the service. With the id alone it would read the key first, and refuse to unwrap
 * under one that has expired: the service does that, so that what was encrypted before can still be read.
 */
function clientOf(key: string, { vault, credential }: Vault): CryptographyClient {
  const [name = ''] = key.split('/')
  const named = { id: `${vault}/keys/${key}`, name, properties: { name, vaultUrl: vault } }
  return new CryptographyClient(named, credential, ONCE)
}

type Vault = { readonly vault: string; readonly credential: DefaultAzureCredential }

/** A key is rotated by a new version, which decrypts nothing that was encrypted under an older one. */
async function newestVersion(
  name: string,
  { vault, credential, signal }: Vault & { readonly signal: AbortSignal },
): Promise<string> {
  const { properties } = await new KeyClient(vault, credential, ONCE).getKey(name, { abortSignal: signal })
  return `${name}/${properties.version}`
}

async function asked<T>(environment: Environment, ask: (vault: Vault) => Promise<T>) {
  const said = environment['AZURE_KEYVAULT_URL'] ?? ''
  if (!URL.canParse(said)) return { trouble: 'noPlace' } as const
  const { protocol, host, origin } = new URL(said)
  if (protocol !== 'https:') return { trouble: 'inTheClear', at: host } as const
  try {
    return await ask({ vault: origin, credential: new DefaultAzureCredential(ONCE) })
  } catch (error) {
    return { ...troubleOf(error), at: host }
  }
}
