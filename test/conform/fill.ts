import { present } from '../../src/trusted/base/assert.ts'
import type { TestService } from '../support/service.ts'

/**
 * Something of everything that queries list.
 *
 * @returns  ids that requests may name, by the name of their field
 */
export async function fill(service: TestService): Promise<{ readonly [field: string]: string }> {
  const { root, done } = service
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const { walletId, addresses } = await done(root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'First',
    accounts: [account],
  })
  const { privateKeyTagId } = await done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', {
    privateKeyTagName: 'Hot',
    privateKeyIds: [],
  })
  const { privateKeys } = await done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Second',
        curve: 'CURVE_ED25519',
        privateKeyTags: [present(privateKeyTagId, 'the tag')],
        addressFormats: ['ADDRESS_FORMAT_SOLANA'],
      },
    ],
  })
  const { userTagId } = await done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'Signers',
    userIds: [],
  })
  const ada = await service.user('Ada', { userTags: [present(userTagId, 'the tag')] })
  const { policyId } = await done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Two sign',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'SIGN'",
    consensus: 'approvers.count() >= 2',
    notes: '',
  })
  const { sessionProfileId } = await done(root, 'ACTIVITY_TYPE_CREATE_SESSION_PROFILE', {
    sessionProfileName: 'Tags only',
    scope: "activity.kind == 'CREATE_USER_TAG'",
  })
  const apiKey = { apiKeyName: 'Key', publicKey: service.newKey().publicKey, curveType: 'API_KEY_CURVE_P256' }
  await done(root, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: 'Shop',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'Ben', apiKeys: [apiKey], authenticators: [], oauthProviders: [] }],
  })
  await service.submit(ada, 'ACTIVITY_TYPE_CREATE_USER_TAG', { userTagName: 'Refused', userIds: [] })
  const { json } = await service.query(root, 'list_activities')
  const { organizationId, userId } = root
  const [{ privateKeyId }] = privateKeys
  const [{ id: activityId }] = json.activities
  const [signWith] = addresses
  const keys = { walletId, privateKeyId, privateKeyTagId, signWith }
  return { organizationId, userId, userTagId, ...keys, policyId, sessionProfileId, activityId }
}
