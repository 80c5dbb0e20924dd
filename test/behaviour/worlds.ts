import { aCode, anEncryptedCode, aProvenContact, withContacts, withMailedKeys } from './codes.ts'
import {
  anIdentityToken,
  anOauth2Credential,
  aProvider,
  encryptedClientSecret,
  withIdentity,
} from './identities.ts'
import { anEncryptedMnemonic, anImportedWallet } from './imported-wallets.ts'
import { anEncryptedSecret, aSecret } from './secret-things.ts'
import { anEthereumWallet, signIn } from '../support/sign-in.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { JsonAnswer, Member, TestService } from '../support/service.ts'
import {
  aContractInterface,
  anMfaPolicy,
  anotherUser,
  aPasskey,
  aPolicy,
  aPrivateKey,
  aSubOrganization,
  aTag,
  aVelocityControl,
  aWallet,
  aWalletAuthenticator,
  aWebhookEndpoint,
  asFirstForm,
  encryptedFor,
} from './things.ts'

/** `by` is a root user, alone in the root quorum of their organization. */
export type Setting = {
  readonly service: TestService
  readonly by: Member
  /** The declaration's own example; ids in it name nothing here. */
  readonly example: JsonAnswer
}

export type Prepared = {
  /** Who makes the request, where it is not the root user. */
  readonly by?: Member
  /** In the newest form. */
  readonly parameters: object
  /** The same request in each older form, by its type. */
  readonly older?: { readonly [type: string]: object }
}

type World = (setting: Setting) => Prepared | Promise<Prepared>

const asItIs: World = ({ example }) => ({ parameters: example })

const aboutAUser: World = async (setting) => {
  const { userId } = await anotherUser(setting)
  return { parameters: { ...setting.example, userId } }
}

const aVote: World = async (setting) => {
  const { service, by } = setting
  const second = await anotherUser(setting)
  const userIds = [by.userId, second.userId]
  await service.done(by, 'ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds })
  const waiting = await service.submit(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Waits',
    userIds: [],
  })
  return { by: second, parameters: { fingerprint: waiting.json.activity.fingerprint } }
}

const SUB = 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION'

/** What each activity's example needs before it can run, and the example with the ids of this world. */
export const worlds: { readonly [operation: string]: World } = {
  approve_activity: aVote,
  reject_activity: aVote,

  create_private_keys: ({ example }) => ({
    parameters: example,
    older: { ACTIVITY_TYPE_CREATE_PRIVATE_KEYS: example },
  }),
  sign_raw_payload: async (setting) => {
    const { privateKeyId, addresses } = await aPrivateKey(setting)
    const { signWith: _, ...how } = setting.example
    return {
      parameters: { ...how, signWith: addresses[0].address },
      older: { ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: { ...how, privateKeyId } },
    }
  },
  sign_raw_payloads: async (setting) => {
    const { address } = await aWallet(setting)
    return { parameters: { ...setting.example, signWith: address } }
  },
  sign_transaction: async (setting) => {
    const { privateKeyId, addresses } = await aPrivateKey(setting)
    const { signWith: _, ...how } = setting.example
    return {
      parameters: { ...how, signWith: addresses[0].address },
      older: { ACTIVITY_TYPE_SIGN_TRANSACTION: { ...how, privateKeyId } },
    }
  },

  create_wallet: asItIs,
  create_wallet_accounts: async (setting) => {
    const { walletId } = await aWallet(setting)
    return { parameters: { ...setting.example, walletId } }
  },
  update_wallet: async (setting) => {
    const { walletId } = await aWallet(setting)
    return { parameters: { ...setting.example, walletId } }
  },
  delete_wallets: async (setting) => {
    const { walletId } = await aWallet(setting)
    return { parameters: { ...setting.example, walletIds: [walletId] } }
  },
  delete_wallet_accounts: async (setting) => {
    const { walletAccountId } = await aWallet(setting)
    return { parameters: { ...setting.example, walletAccountIds: [walletAccountId] } }
  },
  init_import_private_key: ({ by }) => ({ parameters: { userId: by.userId } }),
  import_private_key: async ({ service, by, example }) => ({
    parameters: { ...example, userId: by.userId, encryptedBundle: await encryptedFor(service, by) },
  }),
  export_private_key: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    return { parameters: { ...setting.example, privateKeyId } }
  },
  delete_private_keys: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    return { parameters: { ...setting.example, privateKeyIds: [privateKeyId] } }
  },
  create_private_key_tag: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    return { parameters: { ...setting.example, privateKeyIds: [privateKeyId] } }
  },
  update_private_key_tag: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    const privateKeyTagId = await aTag(setting, 'private_key', [privateKeyId])
    return { parameters: { ...setting.example, privateKeyTagId, removePrivateKeyIds: [privateKeyId] } }
  },
  delete_private_key_tags: async (setting) => {
    const { privateKeyId } = await aPrivateKey(setting)
    return { parameters: { privateKeyTagIds: [await aTag(setting, 'private_key', [privateKeyId])] } }
  },

  init_import_wallet: ({ by }) => ({ parameters: { userId: by.userId } }),
  import_wallet: async (setting) => ({
    parameters: {
      ...setting.example,
      userId: setting.by.userId,
      encryptedBundle: await anEncryptedMnemonic(setting),
    },
  }),
  export_wallet: async (setting) => {
    const { walletId } = await anImportedWallet(setting)
    return { parameters: { ...setting.example, walletId } }
  },
  export_wallet_account: async (setting) => {
    const { addresses } = await anImportedWallet(setting)
    return { parameters: { ...setting.example, address: addresses[0] } }
  },

  init_import_secrets: asItIs,
  import_secrets: async (setting) => {
    const encrypted = await anEncryptedSecret(setting, 'a sentence that nobody guesses')
    return { parameters: { secrets: [{ ...setting.example.secrets[0], ...encrypted }] } }
  },
  export_secrets: async (setting) => {
    const secretId = await aSecret(setting)
    return { parameters: { secrets: [{ ...setting.example.secrets[0], secretId }] } }
  },
  delete_secrets: async (setting) => ({ parameters: { secretIds: [await aSecret(setting)] } }),

  create_oauth_providers: async (setting) => {
    const { userId } = await anotherUser(setting)
    const oidcToken = anIdentityToken(setting.service, '')
    const first = { providerName: 'First', oidcToken }
    const oidcClaims = { iss: 'urn:claviger:oauth2:x', sub: '4711', aud: 'phone' }
    return {
      parameters: { userId, oauthProviders: [first, { providerName: 'Second', oidcClaims }] },
      older: { ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS: { userId, oauthProviders: [first] } },
    }
  },
  delete_oauth_providers: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { userId, providerIds: [await aProvider(setting, userId)] } }
  },
  oauth: async (setting) => {
    const { targetPublicKey } = setting.example
    const oidcToken = anIdentityToken(setting.service, targetPublicKey)
    return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken } }
  },
  oauth_login: async (setting) => {
    const { publicKey } = setting.service.newKey()
    const oidcToken = anIdentityToken(setting.service, publicKey)
    return { by: await withIdentity(setting), parameters: { ...setting.example, oidcToken, publicKey } }
  },
  create_oauth2_credential: async ({ example }) => ({
    parameters: { ...example, encryptedClientSecret: await encryptedClientSecret() },
  }),
  update_oauth2_credential: async (setting) => ({
    parameters: {
      ...setting.example,
      oauth2CredentialId: await anOauth2Credential(setting),
      encryptedClientSecret: await encryptedClientSecret(),
    },
  }),
  delete_oauth2_credential: async (setting) => ({
    parameters: { oauth2CredentialId: await anOauth2Credential(setting) },
  }),
  oauth2_authenticate: async (setting) => ({
    parameters: { ...setting.example, oauth2CredentialId: await anOauth2Credential(setting) },
  }),

  create_policy: asItIs,
  create_policies: asItIs,
  update_policy: async (setting) => {
    const parameters = { ...setting.example, policyId: await aPolicy(setting) }
    return { parameters, older: { ACTIVITY_TYPE_UPDATE_POLICY: parameters } }
  },
  delete_policy: async (setting) => ({ parameters: { policyId: await aPolicy(setting) } }),
  delete_policies: async (setting) => ({ parameters: { policyIds: [await aPolicy(setting)] } }),

  create_velocity_control: asItIs,
  delete_velocity_control: async (setting) => ({
    parameters: { velocityControlId: await aVelocityControl(setting) },
  }),

  update_organization_name: asItIs,
  update_root_quorum: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { threshold: 1, userIds: [setting.by.userId, userId] } }
  },
  set_organization_feature: asItIs,
  remove_organization_feature: async ({ service, by, example }) => {
    await service.done(by, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', example)
    return { parameters: example }
  },
  create_sub_organization: ({ service, example }) => {
    const { rootUsers: users, ...rest } = example
    const v4 = { ...rest, rootUsers: users.map(onP256) }
    const v2 = { ...v4, rootUsers: v4.rootUsers.map(without('oauthProviders')) }
    return {
      parameters: example,
      older: {
        [SUB]: { name: 'Customer 4711', rootAuthenticator: aPasskey(service) },
        [`${SUB}_V2`]: v2,
        [`${SUB}_V3`]: { ...v2, privateKeys: [privateKeyParams] },
        [`${SUB}_V4`]: v2,
        [`${SUB}_V5`]: v4,
        [`${SUB}_V6`]: example,
        [`${SUB}_V7`]: example,
      },
    }
  },
  delete_sub_organization: async (setting) => {
    const by = await aSubOrganization(setting.service)
    await aPrivateKey({ ...setting, by })
    return { by, parameters: setting.example }
  },

  create_users: async (setting) => {
    const userTags = [await aTag(setting, 'user')]
    const users = setting.example.users.map((user: object) => ({ ...user, userTags }))
    const v2 = users.map(onP256).map(without('oauthProviders'))
    return {
      parameters: { users },
      older: {
        ACTIVITY_TYPE_CREATE_USERS: {
          users: v2.map((user: object) => ({
            ...user,
            accessType: 'ACCESS_TYPE_ALL',
            authenticators: [asFirstForm(aPasskey(setting.service), '')],
          })),
        },
        ACTIVITY_TYPE_CREATE_USERS_V2: {
          users: v2.map((user: object) => ({ ...user, authenticators: [aPasskey(setting.service)] })),
        },
        ACTIVITY_TYPE_CREATE_USERS_V3: { users },
      },
    }
  },
  create_api_only_users: asItIs,
  update_user: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { ...setting.example, userId, userTagIds: [await aTag(setting, 'user')] } }
  },
  update_user_name: aboutAUser,
  update_user_email: aboutAUser,
  update_user_phone_number: aboutAUser,
  delete_users: async (setting) => ({ parameters: { userIds: [(await anotherUser(setting)).userId] } }),
  create_user_tag: async (setting) => ({
    parameters: { ...setting.example, userIds: [(await anotherUser(setting)).userId] },
  }),
  update_user_tag: async (setting) => {
    const { userId } = await anotherUser(setting)
    return {
      parameters: { ...setting.example, userTagId: await aTag(setting, 'user'), addUserIds: [userId] },
    }
  },
  delete_user_tags: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { userTagIds: [await aTag(setting, 'user', [userId])] } }
  },
  create_invitations: ({ by, example }) => ({
    parameters: {
      invitations: example.invitations.map((invitation: object) => ({
        ...invitation,
        senderUserId: by.userId,
      })),
    },
  }),
  delete_invitation: async ({ service, by }) => {
    const { invitationIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_INVITATIONS', {
      invitations: [
        {
          receiverUserName: 'Grace',
          receiverUserEmail: 'grace@example.com',
          receiverUserTags: [],
          accessType: 'ACCESS_TYPE_ALL',
          senderUserId: by.userId,
        },
      ],
    })
    return { parameters: { invitationId: present(invitationIds[0], 'the invitation') } }
  },

  create_api_keys: async (setting) => {
    const { userId } = await anotherUser(setting)
    const { apiKeys } = setting.example
    return {
      parameters: { apiKeys, userId },
      older: { ACTIVITY_TYPE_CREATE_API_KEYS: { apiKeys: apiKeys.map(without('curveType')), userId } },
    }
  },
  delete_api_keys: async (setting) => {
    const { service, by } = setting
    const { userId } = await anotherUser(setting)
    const { publicKey } = service.newKey()
    const key = { apiKeyName: 'Second', publicKey, curveType: 'API_KEY_CURVE_P256' }
    const { apiKeyIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
      userId,
      apiKeys: [key],
    })
    return { parameters: { userId, apiKeyIds } }
  },
  create_authenticators: async (setting) => {
    const { userId } = await anotherUser(setting)
    const authenticators = [aPasskey(setting.service)]
    const older = authenticators.map((authenticator) => asFirstForm(authenticator, userId))
    return {
      parameters: { authenticators, userId },
      older: { ACTIVITY_TYPE_CREATE_AUTHENTICATORS: { authenticators: older, userId } },
    }
  },
  delete_authenticators: async (setting) => {
    const { service, by } = setting
    const { userId } = await anotherUser(setting)
    const { authenticatorIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
      userId,
      authenticators: [aPasskey(service)],
    })
    return { parameters: { userId, authenticatorIds } }
  },

  verify_wallet_authenticator: async ({ service }) => ({
    parameters: await signIn(service.world, anEthereumWallet(service.world)),
  }),
  create_wallet_authenticators: async (setting) => {
    const { userId } = await anotherUser(setting)
    const [wallet] = setting.example.walletAuthenticators
    // In one case, so that another name is an address too.
    return {
      parameters: { userId, walletAuthenticators: [{ ...wallet, address: wallet.address.toLowerCase() }] },
    }
  },
  delete_wallet_authenticators: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { userId, walletAuthenticatorIds: [await aWalletAuthenticator(setting, userId)] } }
  },

  create_mfa_policy: aboutAUser,
  update_mfa_policy: async (setting) => ({
    parameters: { ...setting.example, ...(await anMfaPolicy(setting)) },
  }),
  delete_mfa_policy: async (setting) => ({ parameters: await anMfaPolicy(setting) }),

  // The example would shut this test out, which comes from a loopback address.
  set_ip_allowlist: ({ example }) => ({
    parameters: { ...example, rules: [...example.rules, { cidr: '127.0.0.0/20' }] },
  }),
  remove_ip_allowlist: asItIs,

  create_smart_contract_interface: asItIs,
  delete_smart_contract_interface: async (setting) => ({
    parameters: { smartContractInterfaceId: await aContractInterface(setting) },
  }),

  create_webhook_endpoint: asItIs,
  update_webhook_endpoint: async (setting) => ({
    parameters: { ...setting.example, endpointId: await aWebhookEndpoint(setting) },
  }),
  delete_webhook_endpoint: async (setting) => ({
    parameters: { endpointId: await aWebhookEndpoint(setting) },
  }),

  init_otp: async (setting) => {
    await withContacts(setting)
    return {
      parameters: setting.example,
      older: {
        ACTIVITY_TYPE_INIT_OTP: without('appName')(setting.example),
        ACTIVITY_TYPE_INIT_OTP_V2: setting.example,
      },
    }
  },
  verify_otp: async (setting) => {
    const { otpId, otpCode, encryptedOtpBundle } = await anEncryptedCode(setting)
    return {
      parameters: { otpId, encryptedOtpBundle },
      older: { ACTIVITY_TYPE_VERIFY_OTP: { otpId, otpCode } },
    }
  },
  otp_login: async (setting) => {
    const parameters = await aProvenContact(setting)
    return { parameters, older: { ACTIVITY_TYPE_OTP_LOGIN: parameters } }
  },
  init_otp_auth: async (setting) => {
    await withContacts(setting)
    const v2 = without('appName')(setting.example)
    return {
      parameters: setting.example,
      older: {
        ACTIVITY_TYPE_INIT_OTP_AUTH: without('otpLength')(without('alphanumeric')(v2)),
        ACTIVITY_TYPE_INIT_OTP_AUTH_V2: v2,
      },
    }
  },
  otp_auth: async (setting) => {
    const { otpId, otpCode } = await aCode(setting, 'ACTIVITY_TYPE_INIT_OTP_AUTH_V3')
    return { parameters: { ...setting.example, otpId, otpCode } }
  },

  stamp_login: ({ service, example }) => ({
    parameters: { ...example, publicKey: service.newKey().publicKey },
  }),
  create_read_write_session: async (setting) => {
    const { userId } = await anotherUser(setting)
    const { targetPublicKey } = setting.example
    await withContacts(setting)
    return {
      parameters: { ...setting.example, userId },
      older: {
        ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION: { targetPublicKey, email: 'ada@example.com' },
      },
    }
  },
  create_read_only_session: asItIs,
  create_session_profile: asItIs,
  email_auth: async (setting) => {
    await withMailedKeys(setting)
    const { example } = setting
    return {
      parameters: example,
      older: {
        ACTIVITY_TYPE_EMAIL_AUTH: without('emailCustomization')(example),
        ACTIVITY_TYPE_EMAIL_AUTH_V2: example,
      },
    }
  },
  init_user_email_recovery: async (setting) => {
    await withMailedKeys(setting)
    const { example } = setting
    return {
      parameters: example,
      older: { ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY: without('emailCustomization')(example) },
    }
  },
  recover_user: async (setting) => {
    const { userId } = await anotherUser(setting)
    return { parameters: { userId, authenticator: aPasskey(setting.service) } }
  },
}

const privateKeyParams = {
  privateKeyName: 'Treasury',
  curve: 'CURVE_SECP256K1',
  privateKeyTags: [],
  addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
}

/** A user whose API keys are named as before there were several curves. */
function onP256({ apiKeys, ...user }: JsonAnswer): JsonAnswer {
  const publicKey = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
  return { ...user, apiKeys: apiKeys.map(({ apiKeyName }: JsonAnswer) => ({ apiKeyName, publicKey })) }
}

function without(name: string): (from: JsonAnswer) => JsonAnswer {
  return (object) => Object.fromEntries(Object.entries(object).filter(([field]) => field !== name))
}
