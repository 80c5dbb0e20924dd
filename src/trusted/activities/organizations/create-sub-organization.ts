import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { type Charter, nothingYet } from '../../charter/charter.ts'
import { subOrganizationFeatures } from '../../charter/features.ts'
import { memberFailures, withUsers } from '../../charter/members.ts'
import { checkThreshold, quorumFailures, quorumUsersMissing, withRootQuorum } from '../../charter/quorum.ts'
import { checkTags, tagNotFound } from '../../charter/tags.ts'
import { peekVerificationToken, type VerificationToken } from '../../crypto/verification-token.ts'
import { checkNewPrivateKeys, newPrivateKeys } from '../private-keys/new-private-key.ts'
import { checkNewNames, privateKeyNameTaken } from '../../objects/private-key.ts'
import { useOf, useToken } from '../../objects/used-token.ts'
import {
  checkNewUsers,
  newUserFailures,
  newUsers,
  provenCredentials,
  questionsAboutUsers,
} from '../users/user-params.ts'
import { newAccountFailures } from '../wallets/new-accounts.ts'
import { checkWalletParams, generatedWallet, invalidMnemonicLength } from '../wallets/new-wallet.ts'
import { provenSignUp, signUpFailures, withSignUp } from './sign-up.ts'
import { missingWalletParams, subOrganizationForms } from './sub-organization-forms.ts'

const onlyParentsHaveSubOrganizations = defineFailure<{ readonly organizationId: string }>({
  kind: 'onlyParentsHaveSubOrganizations',
  code: INVALID_ARGUMENT,
  errorCode: 'INVALID_ACTIVITY_CALLER',
  say: ({ organizationId }) =>
    `organization ${organizationId} is a sub-organization, and cannot have sub-organizations of its own`,
})

/** The new organization is controlled by its own root users; its creator may only read it. */
export const createSubOrganization = defineActivity({
  operation: 'create_sub_organization',
  summary: 'Create a sub-organization with its root users',
  forms: subOrganizationForms,
  resource: 'ORGANIZATION',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: false,
  personal: {
    of: 'made',
    entries: 'rootUsers',
    ids: 'rootUserIds',
    beside: ['rootAuthenticator', 'verificationToken', 'clientSignature'],
  },
  fails: [
    onlyParentsHaveSubOrganizations,
    ...newUserFailures,
    ...signUpFailures,
    ...memberFailures,
    ...quorumFailures,
    missingWalletParams,
    invalidMnemonicLength,
    ...newAccountFailures,
    privateKeyNameTaken,
    tagNotFound,
  ],
  example: {
    intent: {
      subOrganizationName: 'Customer 4711',
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Ada',
          userEmail: 'ada@example.com',
          apiKeys: [
            {
              apiKeyName: 'Browser',
              publicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
              curveType: 'API_KEY_CURVE_P256',
            },
          ],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    },
    result: {
      subOrganizationId: '0198c5a0-7d3c-7000-8000-000000000001',
      rootUserIds: ['0198c5a0-7d3c-7000-8000-000000000002'],
    },
  },
  validate: async (intent, _, work) => {
    const { rootUsers, rootQuorumThreshold, privateKeys = [], wallet } = intent
    if (rootUsers.length === 0) throw quorumUsersMissing({ userIds: [] })
    checkThreshold(rootQuorumThreshold, rootUsers.length)
    await checkNewUsers(rootUsers, work)
    checkNewPrivateKeys(privateKeys)
    if (wallet !== undefined) checkWalletParams(wallet)
  },
  needs: ({ verificationToken = '' }) => ({
    used: useOf('SIGNUP', peekVerificationToken(verificationToken)?.id),
  }),
  // No questions are asked for an organization that cannot be created.
  asks: ({ intent: { rootUsers }, charter, audiences }) => {
    requireTopLevel(charter)
    return questionsAboutUsers(rootUsers, audiences)
  },
  // The parent's setting of passkey origins applies to its sub-organizations.
  verify: async (intent, means) => {
    const token = await provenSignUp(intent, means)
    return { token, proven: await provenCredentials(intent.rootUsers, means) }
  },

  async execute({ intent, charter, rows, verified, now, newId, randomBytes, work }) {
    requireTopLevel(charter)
    const { token, proven } = verified
    const { subOrganizationName, rootUsers, rootQuorumThreshold, privateKeys } = intent
    const unpeopled: Charter = {
      organizationId: newId(),
      organizationName: subOrganizationName,
      parentId: charter.organizationId,
      version: 1,
      deleted: false,
      createdAt: now,
      updatedAt: now,
      rootQuorum: { threshold: 0, userIds: [] },
      ...nothingYet,
      features: subOrganizationFeatures(intent),
      users: [],
    }
    const users = withSignUp(newUsers({ users: rootUsers, proven, now, newId }), token)
    const rootUserIds = users.map(({ userId }) => userId)
    const established = withRootQuorum(await work.through(withUsers(unpeopled, users, now)), {
      threshold: rootQuorumThreshold,
      userIds: rootUserIds,
    })
    const wanted = privateKeys ?? []
    checkNewNames(
      wanted.map(({ privateKeyName }) => privateKeyName),
      new Set(),
    )
    checkTags(
      established,
      'TAG_TYPE_PRIVATE_KEY',
      wanted.flatMap(({ privateKeyTags }) => privateKeyTags),
    )
    const { made, placed } = await newPrivateKeys({ wanted, now, newId, randomBytes, work })
    const wallet =
      intent.wallet === undefined
        ? undefined
        : await generatedWallet(intent.wallet, { now, newId, randomBytes, work })
    return {
      result: {
        subOrganizationId: established.organizationId,
        rootUserIds,
        ...(privateKeys === undefined ? {} : { privateKeys: made }),
        ...(wallet === undefined ? {} : { wallet: wallet.result }),
      },
      established: [{ charter: established, put: [...placed, ...(wallet?.placed ?? [])] }],
      put: token === undefined ? [] : [useToken(rows.used, usedUp(token), randomBytes)],
    }
  },
})

function requireTopLevel({ organizationId, parentId }: Charter): void {
  if (parentId !== null) throw onlyParentsHaveSubOrganizations({ organizationId })
}

function usedUp({ id, expiresAt }: VerificationToken) {
  return { tokenId: id, purpose: 'SIGNUP' as const, expiresAt }
}
