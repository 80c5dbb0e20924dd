import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { aService, type Member, type TestService } from '../../../test/support/service.ts'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { credentialsFrom } from '../src/key-file.ts'
import { startHttpServer } from '../src/http-server.ts'
import { mcpServers } from '../src/server.ts'

export const ETHER = 10n ** 18n
export const TOKEN = 'a-token-that-no-page-in-a-browser-knows'

/** An agent that pays up to a tenth at once and a half a day, to two addresses, and asks Pat above that. */
export type Setting = {
  readonly service: TestService
  readonly agent: Member
  readonly pat: Member
  readonly walletId: string
  /** Of the agent's wallet. */
  readonly ethereum: string
  readonly solana: string
  /** Of a wallet that no policy gives the agent. */
  readonly other: string
  readonly friends: readonly [string, string]
  readonly keyFile: string
  readonly client: Client
  readonly url: string
  /** Instants at which a tool would have waited; each moves the clock on by as much. */
  readonly pauses: number[]
  readonly beforePause: (happens: () => Promise<void>) => void
  readonly call: (name: string, asked?: object) => Promise<Told>
  readonly connected: (mode: 'legacy' | 'auto') => Promise<Client>
  readonly close: () => Promise<void>
}

/** What a tool answered; tests look into it by hand. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came over the protocol
type Told = { readonly isError: boolean; readonly told: any; readonly text: string }

const FRIENDS = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const

export async function aSetting(userName = 'Agent'): Promise<Setting> {
  const service = await aService()
  const agent = await service.user(userName)
  const pat = await service.user('Pat')
  const { walletId, addresses } = await aWallet(service, 'Wallet of the agent')
  const others = await aWallet(service, 'Wallet of others')
  const [ethereum = '', solana = ''] = addresses
  const [other = ''] = others.addresses
  for (const { name, effect = 'EFFECT_ALLOW', condition, consensus } of policiesFor({ walletId, agent, pat }))
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: name,
      effect,
      condition,
      consensus,
      notes: '',
    })
  const keyFile = aKeyFile(service.baseUrl, agent)
  const pauses: number[] = []
  let happens = async (): Promise<void> => {}
  const servers = mcpServers(credentialsFrom(keyFile, {}), {
    now: service.world.now,
    pause: async (ms, signal) => {
      signal?.throwIfAborted()
      pauses.push(ms)
      await happens()
      service.world.advance(ms)
    },
  })
  const errors: unknown[] = []
  const http = await startHttpServer(servers, {
    port: 0,
    token: TOKEN,
    onError: (error) => errors.push(error),
  })
  const clients: Client[] = []
  const connected: Setting['connected'] = async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const headers = { authorization: `Bearer ${TOKEN}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers } }))
    clients.push(client)
    return client
  }
  const client = await connected('legacy')
  return {
    service,
    agent,
    pat,
    walletId,
    ethereum,
    solana,
    other,
    friends: FRIENDS,
    keyFile,
    client,
    url: http.url,
    pauses,
    beforePause: (then) => {
      happens = then
    },
    call: async (name, asked = {}) => {
      // Two requests of the same instant and content would be the same request.
      service.world.advance(1)
      return toldBy(await client.callTool({ name, arguments: { ...asked } }))
    },
    connected,
    close: async () => {
      await Promise.all(clients.map(async (one) => await one.close()))
      await http.close()
      await service.close()
    },
  }
}

export function toldBy(result: Awaited<ReturnType<Client['callTool']>>): Told {
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  return { isError: result.isError === true, told: result.structuredContent, text }
}

/** The policies of an agent that pays within limits, as a person would write them by hand. */
function policiesFor({ walletId, agent, pat }: { walletId: string; agent: Member; pat: Member }) {
  const mine = `wallet.id == '${walletId}'`
  const toFriends = `eth.tx.to in ['${FRIENDS.join("', '")}']`
  const small = `[eth.tx.value, 0].filter(v, v <= ${ETHER / 10n})[0]`
  const isAgent = `approvers.any(u, u.id == '${agent.userId}')`
  const alone = [
    "activity.kind == 'SIGN_TRANSACTION'",
    mine,
    'eth.tx.chain_id == 1',
    toFriends,
    `eth.tx.value <= ${ETHER / 10n}`,
    `usage.sum(${small}, '24h', eth.tx.from) <= ${ETHER / 2n}`,
  ]
  return [
    {
      name: 'Changes nothing',
      effect: 'EFFECT_DENY',
      condition: "activity.action in ['CREATE', 'UPDATE', 'DELETE', 'IMPORT', 'EXPORT']",
      consensus: isAgent,
    },
    { name: 'Pays small amounts', condition: alone.join(' && '), consensus: isAgent },
    {
      name: 'Asks above',
      condition: ["activity.kind == 'SIGN_TRANSACTION'", mine, 'eth.tx.chain_id == 1'].join(' && '),
      consensus: `${isAgent} && approvers.any(u, u.id == '${pat.userId}')`,
    },
    {
      name: 'Signs messages',
      condition: `activity.kind == 'SIGN_RAW_PAYLOAD' && ${mine} && usage.count('1h', usage.user, activity.kind) <= 5`,
      consensus: isAgent,
    },
  ]
}

async function aWallet(
  service: TestService,
  walletName: string,
): Promise<{ readonly walletId: string; readonly addresses: readonly string[] }> {
  const account = (curve: string, path: string, format: string) => ({
    curve: `CURVE_${curve}`,
    pathFormat: 'PATH_FORMAT_BIP32',
    path,
    addressFormat: `ADDRESS_FORMAT_${format}`,
  })
  const accounts = [
    account('SECP256K1', "m/44'/60'/0'/0/0", 'ETHEREUM'),
    account('ED25519', "m/44'/501'/0'/0'", 'SOLANA'),
  ]
  return await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET', { walletName, accounts })
}

export function aKeyFile(baseUrl: string, { organizationId, key }: Member, mode = 0o600): string {
  const path = join(temporaryFolder(), 'agent.env')
  const lines = {
    BASE_URL: baseUrl,
    ORGANIZATION_ID: organizationId,
    API_PUBLIC_KEY: key.publicKey,
    API_PRIVATE_KEY: Buffer.from(key.privateKey).toString('hex'),
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(path, text.join(''), { mode })
  return path
}
