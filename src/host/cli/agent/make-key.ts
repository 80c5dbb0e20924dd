import type { CreateOptions } from './create-options.ts'
import { keyFilePath, keyInFile } from './key-file.ts'
import type { Make } from './make.ts'
import { agentUser, type Organization } from './organization.ts'
import type { Terminal } from './terminal.ts'
import { type AgentIds, agentLabel } from './wanted-agent.ts'

/** Makes the key last: by then every denial is in force. Returns the path of its file. */
export async function makeKey(
  organization: Organization,
  options: CreateOptions,
  ids: AgentIds & { readonly signer: string | undefined },
  terminal: Terminal,
  make: Make,
): Promise<string> {
  const { name, expires } = options
  const { caller } = organization
  const path = keyFilePath(terminal, name)
  const named = ids.address === '' ? {} : { WALLET_ID: ids.walletId, ADDRESS: ids.address }
  const signer = ids.signer === undefined ? {} : { SIGNER_PUBLIC_KEY: ids.signer }
  const lines = { USER_ID: ids.userId, ...named, ...signer }
  const publicKey = keyInFile(path, caller, lines, terminal)
  const keys = agentUser(organization, name)?.apiKeys ?? []
  if (keys.some(({ credential }) => credential.publicKey === publicKey)) return path
  const expiration = expires === undefined ? {} : { expirationSeconds: String(expires.seconds) }
  const key = { apiKeyName: agentLabel(name), publicKey, curveType: 'API_KEY_CURVE_P256', ...expiration }
  await make(organization, {
    type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    parameters: { userId: ids.userId, apiKeys: [key] },
    mark: publicKey,
  })
  return path
}
