import { present } from '../../src/trusted/base/assert.ts'
import { anEncryptedSecret } from '../behaviour/secret-things.ts'
import { aPasskey } from '../behaviour/things.ts'
import type { Setting } from '../behaviour/fixture.ts'
import { proposedPolicies, structsThatReferToEachOther } from './dear-inputs.ts'

type In = Pick<Setting, 'service' | 'by'>

export function accounts(count: number, first = 0) {
  return Array.from({ length: count }, (_, at) => ({
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/${first + at}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }))
}

export async function manyAccounts({ service, by }: In): Promise<string> {
  const { walletId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Many',
    accounts: accounts(1_000),
  })
  return walletId
}

export function privateKeys(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    privateKeyName: `Key ${at}`,
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  }))
}

export async function manyKeys({ service, by }: In): Promise<readonly string[]> {
  const made = await service.done(by, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: privateKeys(100),
  })
  return made.privateKeys.map((privateKey: { privateKeyId: string }) => privateKey.privateKeyId)
}

export function longCondition(): string {
  return present(proposedPolicies(1)[0], 'a policy').condition
}

export async function manyPolicies({ service, by }: In): Promise<readonly string[]> {
  const policies = proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' }))
  const { policyIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  return policyIds
}

export function users({ service }: Pick<In, 'service'>, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    userName: `User ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [aPasskey(service)],
    oauthProviders: [],
    userTags: [],
  }))
}

export async function manyUsers(setting: In): Promise<readonly string[]> {
  const made = users(setting, 90).map((user) => ({ ...user, authenticators: [] }))
  const { userIds } = await setting.service.done(setting.by, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: made })
  return userIds
}

export async function secrets(setting: Setting) {
  const all = []
  for (let at = 0; at < 20; at++) {
    const encrypted = await anEncryptedSecret(setting, 'x'.repeat(16_000))
    all.push({ ...setting.example.secrets[0], ...encrypted })
  }
  return all
}

export function typedData(signWith: string) {
  return {
    signWith,
    payloads: Array.from({ length: 11 }, (_, at) => structsThatReferToEachOther(at)),
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
}

export function manyPayloads(signWith: string) {
  return {
    signWith,
    payloads: Array.from({ length: 1_000 }, (_, at) => (at + 1).toString(16).padStart(64, '0')),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
}
