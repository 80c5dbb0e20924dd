import { costs } from '../../base/costs.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import type { ObjectsNeed } from '../../catalogue/objects.ts'
import { list, object, type TypeOf, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { knownUser, memberFailures, withUsers } from '../../charter/members.ts'
import {
  peekVerificationToken,
  type VerificationToken,
  verificationTokenExpired,
  verificationTokenMalformed,
  verificationTokenSignatureNotVerified,
} from '../../crypto/verification-token.ts'
import { verificationTokenForeign } from '../otp/presented-token.ts'
import { type UsedToken, usesOf, useTokens, verificationTokenUsed } from '../../objects/used-token.ts'
import { checkWalletsElsewhere, type HeldWalletNeeds, heldWallets, walletIsHeld } from './held-wallets.ts'
import {
  addressOf,
  invalidWalletAddress,
  newWalletAuthenticator,
  walletAuthenticatorParams,
  walletNotProven,
  walletTokens,
} from './wallet-authenticator-params.ts'
import { userFacts } from '../users/user-facts.ts'

const intent = object({ userId: uuid, walletAuthenticators: walletAuthenticatorParams })
const result = object({
  walletAuthenticatorIds: list(uuid, { max: limits.walletAuthenticatorsPerUser }),
})

/** A token proves that the wallet has signed in at the domain; the first login proves that it belongs to the user. */
export const createWalletAuthenticators = defineActivity<
  TypeOf<typeof intent>,
  TypeOf<typeof result>,
  { readonly used: ObjectsNeed<UsedToken> } & HeldWalletNeeds,
  readonly VerificationToken[]
>({
  operation: 'create_wallet_authenticators',
  summary: 'Add external wallets with which a user can log in',
  forms: form('ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS', intent, {
    key: 'createWalletAuthenticatorsResult',
    shape: result,
  }),
  resource: 'CREDENTIAL',
  action: 'CREATE',
  authority: { kind: 'ownCredentials', owner: ({ userId }) => userId },
  amends: true,
  personal: { of: 'one' },
  fails: [
    ...memberFailures,
    invalidWalletAddress,
    walletNotProven,
    walletIsHeld,
    verificationTokenMalformed,
    verificationTokenSignatureNotVerified,
    verificationTokenExpired,
    verificationTokenForeign,
    verificationTokenUsed,
  ],
  example: {
    intent: {
      userId: '0198c5a0-7d3c-7000-8000-000000000002',
      walletAuthenticators: [
        {
          type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
          address: '0xe91F454F985c19207080378FE0f5A47DAeca2B3E',
          domain: 'app.example.com',
        },
      ],
    },
    result: { walletAuthenticatorIds: ['0198c5a0-7d3c-7000-8000-000000000006'] },
  },
  params: userFacts,
  validate: async ({ walletAuthenticators }, _, work) => {
    for (const walletAuthenticator of walletAuthenticators) {
      await work.step(costs.registeredEdwardsKey)
      addressOf(walletAuthenticator)
    }
  },
  needs: ({ walletAuthenticators }) => ({
    used: usesOf(
      'CONTACT',
      walletAuthenticators.map(({ verificationToken = '' }) => peekVerificationToken(verificationToken)?.id),
    ),
    ...heldWallets(walletAuthenticators),
  }),
  verify: async ({ walletAuthenticators }, means) => await walletTokens(walletAuthenticators, means),

  async execute({
    intent: { userId, walletAuthenticators },
    charter,
    rows,
    verified,
    now,
    newId,
    randomBytes,
    work,
  }) {
    checkWalletsElsewhere(walletAuthenticators, rows)
    const user = knownUser(charter, userId)
    const added = walletAuthenticators.map((walletAuthenticator) =>
      newWalletAuthenticator(walletAuthenticator, { now, newId }),
    )
    const changed = { ...user, walletAuthenticators: [...user.walletAuthenticators, ...added] }
    return {
      result: { walletAuthenticatorIds: added.map(({ walletAuthenticatorId }) => walletAuthenticatorId) },
      charter: await work.through(withUsers(charter, [changed], now)),
      put: useTokens(rows.used, verified, 'CONTACT', randomBytes),
    }
  },
})
