import { present } from '../../src/trusted/base/assert.ts'
import { Commits } from '../../src/host/pipeline/commits.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import type { Seeded } from '../support/seeded.ts'
import type { Service } from '../tampering/harness.ts'
import { done, type Person } from '../tampering/populated.ts'
import type { Store } from '../../src/host/store/store.ts'
import { limits } from './limits.ts'
import { policies } from './rules.ts'

export type Organization = {
  readonly organizationId: string
  readonly parentId: string | undefined
  readonly people: readonly Person[]
  readonly roots: readonly Person[]
}

/** Two strangers to each other, one of which asks for two of its three roots, and a sub-organization of the first. */
export async function organizations(
  service: Service,
  store: Store,
  random: Seeded,
): Promise<readonly Organization[]> {
  const first = await topLevel(service, store, random, 'First')
  const second = await topLevel(service, store, random, 'Second')
  const userIds = second.people.slice(0, 3).map(({ userId }) => userId)
  await done(service, present(second.roots[0], 'a root'), 'UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const sub = await subOrganization(service, first, random)
  return [first, { ...second, roots: second.people.slice(0, 3) }, sub]
}

async function topLevel(
  service: Service,
  store: Store,
  random: Seeded,
  organizationName: string,
): Promise<Organization> {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes)
  const established = await service.vault.establish({
    organizationName,
    userName: 'Root',
    apiKeyName: 'Key',
    publicKey: key.publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })
  await new Commits({ store, vault: service.vault }).commit(established)
  const { organizationId, userId } = established
  const root = { organizationId, userId, key }
  return await settled(
    service,
    { organizationId, parentId: undefined, people: [root], roots: [root] },
    random,
  )
}

async function subOrganization(
  service: Service,
  parent: Organization,
  random: Seeded,
): Promise<Organization> {
  const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes)
  const { subOrganizationId: organizationId, rootUserIds } = await done(
    service,
    present(parent.roots[0], 'a root'),
    'CREATE_SUB_ORGANIZATION_V7',
    { subOrganizationName: 'Sub', rootQuorumThreshold: 1, rootUsers: [userParams('Root', key.publicKey)] },
  )
  const root = { organizationId, userId: present(rootUserIds[0], 'a root user'), key }
  const bare = { organizationId, parentId: parent.organizationId, people: [root], roots: [root] }
  return await settled(service, bare, random)
}

async function settled(service: Service, bare: Organization, random: Seeded): Promise<Organization> {
  const root = present(bare.roots[0], 'a root')
  const keys = Array.from({ length: 4 }, () => stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', random.bytes))
  const users = keys.map(({ publicKey }, at) => ({ ...userParams(`User ${at}`, publicKey), userTags: [] }))
  const { userIds } = await done(service, root, 'CREATE_USERS_V3', { users })
  const added = keys.map((key, at) => ({
    organizationId: bare.organizationId,
    userId: present<string>(userIds[at], 'a user'),
    key,
  }))
  for (const policyName of ['Two sign', 'One makes keys', 'One sends'] as const)
    await done(service, root, 'CREATE_POLICY_V3', { policyName, ...policies[policyName], notes: '' })
  for (const [policyName, limit] of Object.entries(limits))
    await done(service, root, 'CREATE_POLICY_V3', { policyName, ...limit, notes: '' })
  await done(service, root, 'CREATE_WALLET', { walletName: 'Spending', accounts: [accountParams(0)] })
  return { ...bare, people: [...bare.people, ...added] }
}

export function accountParams(index: number) {
  return {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/44'/60'/0'/0/${index}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
}

export function userParams(userName: string, publicKey: string) {
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { userName, apiKeys, authenticators: [], oauthProviders: [] }
}
