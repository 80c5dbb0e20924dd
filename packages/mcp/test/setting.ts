import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAgents } from '../../../src/host/cli/agent/testing/with-agents.ts'
import { aService, type Member, type TestService } from '../../../test/support/service.ts'
import { temporaryFolder } from '../../../test/support/running-service.ts'
import { type Served, served } from './served.ts'

export const ETHER = 10n ** 18n

/** An agent that pays up to a tenth at once and a half a day, to two addresses, and asks Pat above that. */
export type Setting = Served & {
  readonly service: TestService
  readonly agent: Member
  readonly pat: Member
  readonly walletId: string
  /** Of the agent's wallet. */
  readonly ethereum: string
  /** Of a wallet that no policy gives the agent. */
  readonly other: string
  readonly friends: readonly [string, string]
}

const FRIENDS = [
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const

/** The agent has policies that a person has written by hand, and may sign five messages an hour, and on Solana. */
export async function aSetting(userName = 'Agent'): Promise<Setting & { readonly solana: string }> {
  const service = await aService()
  const agent = await service.user(userName)
  const pat = await service.user('Pat')
  const { walletId, addresses } = await aWallet(service, 'Wallet of the agent')
  const [ethereum = '', solana = ''] = addresses
  const [other = ''] = (await aWallet(service, 'Wallet of others')).addresses
  for (const { name, effect = 'EFFECT_ALLOW', ...terms } of policiesFor({ walletId, agent, pat }))
    await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: name,
      effect,
      ...terms,
      notes: '',
    })
  const server = await served(aKeyFile(service.baseUrl, agent), service.world)
  return { ...server, service, agent, pat, walletId, ethereum, solana, other, friends: FRIENDS, close }

  async function close(): Promise<void> {
    await server.close()
    await service.close()
  }
}

/** The agent is made by `claviger agent create`. */
export async function aCreatedAgent(): Promise<Setting> {
  const { service, folder, ran, agentCalled, fileOf } = await withAgents()
  const pat = await service.user('Pat')
  const limits = [
    '--daily',
    '0.5eth',
    '--per-transaction',
    '0.1eth',
    '--to',
    FRIENDS.join(),
    '--ask-above',
    'Pat',
  ]
  await ran(service.root, 'create', 'shopper', ...limits, '--yes')
  const { ADDRESS: ethereum = '', WALLET_ID: walletId = '' } = fileOf('shopper')
  const [other = ''] = (await aWallet(service, 'Wallet of others')).addresses
  const server = await served(join(folder, 'shopper.agent.env'), service.world)
  const agent = agentCalled('shopper')
  return { ...server, service, agent, pat, walletId, ethereum, other, friends: FRIENDS, close }

  async function close(): Promise<void> {
    await server.close()
    await service.close()
  }
}

function policiesFor({ walletId, agent, pat }: { walletId: string; agent: Member; pat: Member }) {
  const mine = `wallet.id == '${walletId}'`
  const small = `[eth.tx.value, 0].filter(v, v <= ${ETHER / 10n})[0]`
  const isAgent = `approvers.any(u, u.id == '${agent.userId}')`
  const pays = ["activity.kind == 'SIGN_TRANSACTION'", mine, 'eth.tx.chain_id == 1']
  const alone = [
    ...pays,
    `eth.tx.to in ['${FRIENDS.join("', '")}']`,
    `eth.tx.value <= ${ETHER / 10n}`,
    `usage.sum(${small}, '24h', eth.tx.from) <= ${ETHER / 2n}`,
  ]
  const messages = [
    "activity.kind == 'SIGN_RAW_PAYLOAD'",
    mine,
    "usage.count('1h', usage.user, activity.kind) <= 5",
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
      condition: pays.join(' && '),
      consensus: `${isAgent} && approvers.any(u, u.id == '${pat.userId}')`,
    },
    { name: 'Signs messages', condition: messages.join(' && '), consensus: isAgent },
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

export function aKeyFile(baseUrl: string, { organizationId, key }: Member): string {
  const path = join(temporaryFolder(), 'agent.env')
  const lines = {
    BASE_URL: baseUrl,
    ORGANIZATION_ID: organizationId,
    API_PUBLIC_KEY: key.publicKey,
    API_PRIVATE_KEY: Buffer.from(key.privateKey).toString('hex'),
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(path, text.join(''), { mode: 0o600 })
  return path
}
