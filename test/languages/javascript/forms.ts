import { activities } from '../../../src/trusted/activities/list.ts'
import { present } from '../../../src/trusted/base/assert.ts'
import { queries } from '../../../src/host/queries/list.ts'
import { sdkServer } from '../../clients/sdk-server.ts'

/**
 * Writes one request of each operation with what is unset left out, and one of each activity with the parameters of its
 * example, for a server that only records what it is sent.
 */
const env = (name: string): string => present(process.env[name], name)
const { Turnkey } = await sdkServer()
const client = new Turnkey({
  apiBaseUrl: env('BASE_URL'),
  apiPrivateKey: env('API_PRIVATE_KEY'),
  apiPublicKey: env('API_PUBLIC_KEY'),
  defaultOrganizationId: env('ORGANIZATION_ID'),
}).apiClient()

/** Those that are not the name of the operation in camelCase. */
const NAMES: Readonly<Record<string, string>> = {
  list_activities: 'getActivities',
  list_policies: 'getPolicies',
  list_suborgs: 'getSubOrgIds',
  list_verified_suborgs: 'getVerifiedSubOrgIds',
  list_users: 'getUsers',
  list_wallets: 'getWallets',
  list_wallet_accounts: 'getWalletAccounts',
  whoami: 'getWhoami',
}

for (const { operation, example } of activities) {
  await send(operation, { timestampMs: '1700000000000' })
  await send(operation, { timestampMs: '1700000000000', ...(example.intent as object) }) // every intent is an object
}
for (const { operation } of queries) await send(operation, {})

/** An operation that the client has no method for is left out. */
async function send(operation: string, input: object): Promise<void> {
  const method: unknown = Reflect.get(client, methodOf(operation))
  if (typeof method !== 'function') return
  try {
    await Reflect.apply(method, client, [input])
  } catch {
    // The recorder refuses everything.
  }
}

/** `create_policy` is `createPolicy`. */
function methodOf(operation: string): string {
  return NAMES[operation] ?? operation.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
