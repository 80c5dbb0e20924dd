import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { present } from '../../src/trusted/base/assert.ts'
import type { JsonAnswer, Member, TestService } from '../support/service.ts'
import { createAuthenticator } from '../support/software-authenticator.ts'

type In = { readonly service: TestService; readonly by: Member }

/** A second user of the organization, with a key and without any rights. */
export async function anotherUser({ service, by }: In, userName = 'Grace'): Promise<Member> {
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const users = [{ userName, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }]
  const { userIds } = await service.done(by, 'ACTIVITY_TYPE_CREATE_USERS_V4', { users })
  return { organizationId: by.organizationId, userId: present(userIds[0], 'the new user'), key }
}

export async function aPrivateKey({ service, by }: In, privateKeyName = 'Existing'): Promise<JsonAnswer> {
  const { privateKeys } = await service.done(by, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName,
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  return privateKeys[0]
}

/** A wallet with one Ethereum account. */
export async function aWallet({ service, by }: In, walletName = 'Existing') {
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/7",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const wallet = { walletName, accounts: [account] }
  const { walletId, addresses } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WALLET', wallet)
  const { json } = await service.query(by, 'list_wallet_accounts', { walletId })
  return { walletId, address: addresses[0], walletAccountId: json.accounts[0].walletAccountId }
}

/** @param taggedIds  users or private keys that get it */
export async function aTag(
  { service, by }: In,
  of: 'user' | 'private_key',
  taggedIds: readonly string[] = [],
): Promise<string> {
  if (of === 'user') {
    const tag = { userTagName: 'Existing', userIds: taggedIds }
    return (await service.done(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', tag)).userTagId
  }
  const tag = { privateKeyTagName: 'Existing', privateKeyIds: taggedIds }
  return (await service.done(by, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', tag)).privateKeyTagId
}

export async function aPolicy({ service, by }: In): Promise<string> {
  const { policyId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Existing',
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'EXPORT'",
    notes: '',
  })
  return policyId
}

export async function aVelocityControl({ service, by }: In): Promise<string> {
  const { velocityControlId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_VELOCITY_CONTROL', {
    name: 'Existing',
    identifier: 'existing',
    dataSource: { activityExecution: {} },
    aggregation: {
      method: 'VELOCITY_CONTROL_AGGREGATION_METHOD_COUNT',
      operator: 'VELOCITY_CONTROL_AGGREGATION_OPERATOR_LESS_THAN',
      threshold: '100',
      window: { rolling: { duration: '3600' } },
      groupBy: { user: {} },
    },
  })
  return velocityControlId
}

/** A sub-organization of the first organization, as its one root user. */
export async function aSubOrganization(service: TestService): Promise<Member> {
  const key = service.newKey()
  const apiKeys = [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const made = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
    subOrganizationName: 'Other',
    rootUsers: [{ userName: 'Other', apiKeys, authenticators: [], oauthProviders: [] }],
    rootQuorumThreshold: 1,
  })
  return { organizationId: made.subOrganizationId, userId: made.rootUserIds[0], key }
}

const CHALLENGE = Buffer.from('a challenge').toString('base64url')

/** `AuthenticatorParamsV2` of a new passkey. */
export function aPasskey(service: TestService) {
  const device = createAuthenticator({ randomBytes: service.world.randomBytes })
  const attestation = device.register(CHALLENGE, 'http://localhost')
  return { authenticatorName: 'Phone', challenge: CHALLENGE, attestation }
}

/** The same as `AuthenticatorParams`: what a browser's credential says of itself. */
export function asFirstForm({ attestation, ...rest }: ReturnType<typeof aPasskey>, userId: string) {
  const { credentialId, clientDataJson, attestationObject } = attestation
  return {
    ...rest,
    userId,
    attestation: {
      id: credentialId,
      rawId: credentialId,
      type: 'public-key',
      response: { clientDataJson, attestationObject },
      clientExtensionResults: {},
    },
  }
}

/** A private key, encrypted by the published client to the import target of this user. */
export async function encryptedFor(service: TestService, by: Member): Promise<string> {
  const { importBundle } = await service.done(by, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', {
    userId: by.userId,
  })
  return await encryptPrivateKeyToBundle({
    privateKey: Buffer.from(service.world.randomBytes(32)).toString('hex'),
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId: by.userId,
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
}

/** An MFA policy of this user, about nothing. */
export async function anMfaPolicy({ service, by }: In, userId: string): Promise<string> {
  const { mfaPolicyId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId,
    mfaPolicyName: 'About nothing',
    condition: 'false',
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
    order: 7,
  })
  return mfaPolicyId
}

export async function aWalletAuthenticator({ service, by }: In, userId: string): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS'
  const { walletAuthenticatorIds } = await service.done(by, type, {
    userId,
    walletAuthenticators: [
      {
        type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA',
        address: '9FYsKrNuEweb55Wa2jaj8wTKYDBvuCG3huhakEj96iN9',
        domain: 'app.example.com',
      },
    ],
  })
  return walletAuthenticatorIds[0]
}

export async function aWebhookEndpoint({ service, by }: In): Promise<string> {
  const { endpointId } = await service.done(by, 'ACTIVITY_TYPE_CREATE_WEBHOOK_ENDPOINT', {
    url: 'https://example.com/hooks',
    name: 'Before',
  })
  return endpointId
}

export async function aContractInterface({ service, by }: In): Promise<string> {
  const type = 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE'
  const { smartContractInterfaceId } = await service.done(by, type, {
    smartContractAddress: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    smartContractInterface: '[{"type":"function","name":"approve","inputs":[]}]',
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Existing',
  })
  return smartContractInterfaceId
}

export async function anApiKey({ service, by }: In, userId: string): Promise<string> {
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'Second', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  const made = await service.done(by, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys })
  return made.apiKeyIds[0]
}

export async function anAuthenticator({ service, by }: In, userId: string): Promise<string> {
  const authenticators = [aPasskey(service)]
  const made = await service.done(by, 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId, authenticators })
  return made.authenticatorIds[0]
}

export async function anInvitation({ service, by }: In): Promise<string> {
  const invitation = {
    receiverUserName: 'Grace',
    receiverUserEmail: 'grace@example.com',
    receiverUserTags: [],
    accessType: 'ACCESS_TYPE_ALL',
    senderUserId: by.userId,
  }
  const made = await service.done(by, 'ACTIVITY_TYPE_CREATE_INVITATIONS', { invitations: [invitation] })
  return made.invitationIds[0]
}

/** The id of an activity that was carried out. */
export async function anActivity({ service, by }: In): Promise<string> {
  const parameters = { userTagName: 'Of an activity', userIds: [] }
  const { json } = await service.submit(by, 'ACTIVITY_TYPE_CREATE_USER_TAG', parameters)
  return json.activity.id
}
