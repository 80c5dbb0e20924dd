import { present } from '../../src/trusted/base/assert.ts'
import { aPasskey, aPrivateKey, aSubOrganization, aTag, aWallet } from '../behaviour/things.ts'
import { anEncryptedMnemonic } from '../behaviour/imported-wallets.ts'
import { anEncryptedSecret } from '../behaviour/secret-things.ts'
import type { Prepared, Setting } from '../behaviour/world.ts'
import { proposedPolicies, structsThatReferToEachOther, transactionOf } from './dear-inputs.ts'

type Dear = (setting: Setting) => Prepared | Promise<Prepared>

/**
 * What of each activity takes longest, of what its limits allow and a test can make in a moment: as many keys, accounts or users at
 * once as there may be, or as long a text.
 */
export const dearest: { readonly [operation: string]: Dear } = {
  approve_activity: async (setting) => {
    const { service, by } = setting
    const { address } = await aWallet(setting)
    const second = await service.user('Second')
    await service.done(by, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', {
      threshold: 2,
      userIds: [by.userId, second.userId],
    })
    const waiting = await service.submit(by, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', manyPayloads(address))
    return { by: second, parameters: { fingerprint: waiting.json.activity.fingerprint } }
  },

  sign_raw_payload: async (setting) => {
    const { address } = await aWallet(setting)
    const { payloads, ...how } = typedData(address)
    return { parameters: { ...how, payload: payloads[0] } }
  },
  sign_raw_payloads: async (setting) => ({ parameters: typedData((await aWallet(setting)).address) }),
  sign_transaction: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    const { privateKey } = (await setting.service.query(setting.by, 'get_private_key', { privateKeyId })).json
    return {
      parameters: {
        signWith: privateKeyId,
        type: 'TRANSACTION_TYPE_BITCOIN',
        unsignedTransaction: transactionOf(privateKey.publicKey, 'pkh'),
      },
    }
  },

  create_wallet: () => ({ parameters: { walletName: 'Many', accounts: accounts(1_000) } }),
  create_wallet_accounts: async (setting) => {
    const { walletId } = await aWallet(setting)
    return { parameters: { walletId, accounts: accounts(1_000) } }
  },
  import_wallet: async (setting) => ({
    parameters: {
      userId: setting.by.userId,
      walletName: 'Many',
      encryptedBundle: await anEncryptedMnemonic(setting),
      accounts: accounts(1_000),
    },
  }),
  delete_wallets: async (setting) => ({
    parameters: { walletIds: [await manyAccounts(setting)], deleteWithoutExport: true },
  }),
  delete_wallet_accounts: async (setting) => {
    const walletId = await manyAccounts(setting)
    const listed = async (after?: string) =>
      (
        await setting.service.query(setting.by, 'list_wallet_accounts', {
          walletId,
          paginationOptions: { limit: '100', ...(after === undefined ? {} : { after }) },
        })
      ).json.accounts.map((account: { walletAccountId: string }) => account.walletAccountId)
    const walletAccountIds: string[] = []
    while (walletAccountIds.length < 1_000) {
      const page = await listed(walletAccountIds.at(-1))
      if (page.length === 0) break
      walletAccountIds.push(...page)
    }
    return { parameters: { walletAccountIds: walletAccountIds.slice(0, 1_000), deleteWithoutExport: true } }
  },

  create_private_keys: () => ({ parameters: { privateKeys: privateKeys(100) } }),
  delete_private_keys: async (setting) => ({
    parameters: { privateKeyIds: await manyKeys(setting), deleteWithoutExport: true },
  }),
  create_private_key_tag: async (setting) => ({
    parameters: { privateKeyTagName: 'All', privateKeyIds: await manyKeys(setting) },
  }),
  update_private_key_tag: async (setting) => {
    const addPrivateKeyIds = await manyKeys(setting)
    const privateKeyTagId = await aTag(setting, 'private_key', [])
    return {
      parameters: { privateKeyTagId, newPrivateKeyTagName: 'All', addPrivateKeyIds, removePrivateKeyIds: [] },
    }
  },
  delete_private_key_tags: async (setting) => {
    const tagged = await aTag(setting, 'private_key', await manyKeys(setting))
    return { parameters: { privateKeyTagIds: [tagged] } }
  },

  create_policy: ({ example }) => ({ parameters: { ...example, condition: longCondition() } }),
  create_policies: () => ({
    parameters: {
      policies: proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' })),
    },
  }),
  update_policy: async (setting) => {
    const [policyId] = await manyPolicies(setting)
    return { parameters: { policyId, policyCondition: longCondition(), policyConsensus: 'true' } }
  },
  delete_policies: async (setting) => ({ parameters: { policyIds: await manyPolicies(setting) } }),

  create_users: (setting) => ({ parameters: { users: users(setting, 60) } }),
  create_api_only_users: (setting) => ({
    parameters: {
      apiOnlyUsers: users(setting, 90).map(({ userName, apiKeys }) => ({
        userName,
        userTags: [],
        apiKeys: apiKeys.map(({ apiKeyName, publicKey }) => ({ apiKeyName, publicKey })),
      })),
    },
  }),
  delete_users: async (setting) => ({ parameters: { userIds: await manyUsers(setting) } }),
  create_sub_organization: (setting) => ({
    parameters: {
      ...setting.example,
      rootUsers: users(setting, 60).map(({ userTags: _, ...user }) => user),
      wallet: { walletName: 'Many', accounts: accounts(1_000) },
    },
  }),
  delete_sub_organization: async (setting) => {
    const by = await aSubOrganization(setting.service)
    await manyAccounts({ ...setting, by })
    return { by, parameters: { deleteWithoutExport: true } }
  },
  create_authenticators: async (setting) => ({
    parameters: {
      userId: setting.by.userId,
      authenticators: Array.from({ length: 10 }, (_, at) => ({
        ...aPasskey(setting.service),
        authenticatorName: `Phone ${at}`,
      })),
    },
  }),
  create_invitations: ({ by, example }) => ({
    parameters: {
      invitations: Array.from({ length: 100 }, (_, at) => ({
        ...example.invitations[0],
        receiverUserEmail: `person${at}@example.com`,
        senderUserId: by.userId,
      })),
    },
  }),

  import_secrets: async (setting) => ({ parameters: { secrets: await secrets(setting) } }),
  create_smart_contract_interface: ({ example }) => ({
    parameters: {
      ...example,
      smartContractInterface: JSON.stringify(
        Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at.toString(36)}`, inputs: [] })),
      ),
    },
  }),
}

/** Their lists name what stands in the charter, where there are a hundred at most, and look each up. */
export const LISTS_OF_NAMES: ReadonlySet<string> = new Set([
  'update_root_quorum',
  'update_user',
  'create_user_tag',
  'update_user_tag',
  'delete_user_tags',
  'delete_api_keys',
  'delete_authenticators',
  'delete_oauth_providers',
  'set_ip_allowlist',
])

/** One text that is read, hashed and verified once. */
export const ONE_TEXT: ReadonlySet<string> = new Set(['otp_login', 'recover_user'])

function accounts(count: number, first = 0) {
  return Array.from({ length: count }, (_, at) => ({
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/${first + at}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }))
}

async function manyAccounts({ service, by }: Pick<Setting, 'service' | 'by'>): Promise<string> {
  const { walletId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Many',
    accounts: accounts(1_000),
  })
  return walletId
}

function privateKeys(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    privateKeyName: `Key ${at}`,
    curve: 'CURVE_SECP256K1',
    privateKeyTags: [],
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  }))
}

async function manyKeys({ service, by }: Setting): Promise<readonly string[]> {
  const made = await service.done(by, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: privateKeys(100),
  })
  return made.privateKeys.map((privateKey: { privateKeyId: string }) => privateKey.privateKeyId)
}

function longCondition(): string {
  return present(proposedPolicies(1)[0], 'a policy').condition
}

async function manyPolicies({ service, by }: Setting): Promise<readonly string[]> {
  const policies = proposedPolicies(62).map((proposedPolicy) => ({ ...proposedPolicy, notes: '' }))
  const { policyIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_POLICIES', { policies })
  return policyIds
}

function users({ service }: Setting, count: number) {
  return Array.from({ length: count }, (_, at) => ({
    userName: `User ${at}`,
    apiKeys: [{ apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }],
    authenticators: [aPasskey(service)],
    oauthProviders: [],
    userTags: [],
  }))
}

async function manyUsers(setting: Setting): Promise<readonly string[]> {
  const made = users(setting, 90).map((user) => ({ ...user, authenticators: [] }))
  const { userIds } = await setting.service.done(setting.by, 'ACTIVITY_TYPE_CREATE_USERS_V3', { users: made })
  return userIds
}

async function secrets(setting: Setting) {
  const all = []
  for (let at = 0; at < 20; at++) {
    const encrypted = await anEncryptedSecret(setting, 'x'.repeat(16_000))
    all.push({ ...setting.example.secrets[0], ...encrypted })
  }
  return all
}

function typedData(signWith: string) {
  return {
    signWith,
    payloads: Array.from({ length: 11 }, (_, at) => structsThatReferToEachOther(at)),
    encoding: 'PAYLOAD_ENCODING_EIP712',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
}

function manyPayloads(signWith: string) {
  return {
    signWith,
    payloads: Array.from({ length: 1_000 }, (_, at) => (at + 1).toString(16).padStart(64, '0')),
    encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
    hashFunction: 'HASH_FUNCTION_NO_OP',
  }
}
