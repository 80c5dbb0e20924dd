import {
  type OauthProviderParams,
  oauthProviderParams,
} from '../../trusted/activities/oauth/provider-params.ts'
import { Failure } from '../../trusted/base/failure.ts'
import type { JsonObject } from '../../trusted/base/strict-json.ts'
import {
  invalidField,
  list,
  object,
  optional,
  text,
  type TypeOf,
  uuid,
} from '../../trusted/catalogue/shape.ts'
import { peekOidcToken } from '../../trusted/crypto/oidc-token.ts'
import { peekVerificationToken, verificationTokenMalformed } from '../../trusted/crypto/verification-token.ts'
import { checkAllowed, otpAllowance } from './allowances.ts'
import type { AuthProxyConfig } from './config.ts'
import { nothingToSignUpWith, notSettledAtOnce } from './failures.ts'
import { checkOwnClient } from './own-tokens.ts'
import { endpoint, handedOn, type Proxied } from './proxied.ts'

// More than any list needs: the activity has its own limits.
const MANY = 100
const credentials = optional(list(handedOn, { max: MANY }))
const body = object({
  userEmail: optional(text({ max: 1024 })),
  userPhoneNumber: optional(text({ max: 1024 })),
  userTag: optional(text({ max: 255 })),
  userName: optional(text({ max: 255 })),
  organizationName: optional(text({ max: 255 })),
  verificationToken: optional(text({ max: 16_384 })),
  apiKeys: credentials,
  authenticators: credentials,
  // These fields are checked here, so they are also read here: the activity then reads the checked values.
  oauthProviders: optional(list(oauthProviderParams, { max: MANY })),
  wallet: optional(handedOn),
  clientSignature: optional(handedOn),
})
type SignUp = TypeOf<typeof body>
const answer = object({
  organizationId: uuid,
  userId: uuid,
  wallet: optional(handedOn),
  appProofs: list(handedOn, { max: 0 }),
})

/** Verification tokens may lack a bound key, and a token names a provider. */
export const signUp = endpoint(
  { summary: 'Make a sub-organization for a new user', body, answer },
  async (sent, proxied) => await byForm('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V7', sent, proxied),
)

export const signUpV2 = endpoint(
  { summary: 'Make a sub-organization for a new user, whose client signs the sign-up', body, answer },
  async (sent, proxied) => await byForm('ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', sent, proxied),
)

async function byForm(
  type: string,
  sent: SignUp,
  { config, member, host, countSignUp }: Proxied,
): Promise<object> {
  checkMeans(sent, config)
  // A new organization has no tags for its first user.
  if ((sent.userTag ?? '') !== '')
    throw invalidField({ field: 'userTag', problem: 'is not supported by this version' })
  const now = host.world.now()
  const { userEmail, userPhoneNumber, apiKeys = [], authenticators = [], oauthProviders = [] } = sent
  const { wallet, verificationToken, clientSignature } = sent
  const giveBack = countSignUp()
  try {
    const made = await member.submit(type, {
      subOrganizationName: sent.organizationName ?? `sub-org-${now}`,
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: sent.userName ?? userEmail ?? `user-${now}`,
          userEmail,
          userPhoneNumber,
          apiKeys,
          authenticators,
          oauthProviders,
        },
      ],
      wallet,
      verificationToken,
      clientSignature,
    })
    return answerOf(made)
  } catch (error) {
    // One that waits for an approval is a request of the parent all the same.
    if (!(error instanceof Failure && error.kind === notSettledAtOnce.kind)) giveBack()
    throw error
  }
}

/** Every way in for the new user must be allowed, and at least one is required. */
function checkMeans(sent: SignUp, config: AuthProxyConfig): void {
  checkAllowed(config, 'signup')
  const { verificationToken = '', apiKeys = [], authenticators = [], oauthProviders = [] } = sent
  if (authenticators.length > 0) checkAllowed(config, 'passkey')
  if (oauthProviders.length > 0) checkAllowed(config, 'oauth')
  for (const provider of oauthProviders) checkProvider(provider, config)
  if (verificationToken !== '') {
    const token = peekVerificationToken(verificationToken)
    if (token === undefined) throw verificationTokenMalformed({ why: 'it cannot be read' })
    checkAllowed(config, otpAllowance(token.verificationType))
  }
  // Clients send an API key together with a passkey, for the first login; an API key alone is the key of a wallet.
  const isAlone = authenticators.length === 0 && oauthProviders.length === 0 && verificationToken === ''
  if (isAlone && apiKeys.length === 0) throw nothingToSignUpWith()
  if (isAlone) checkAllowed(config, 'wallet')
}

/** The activity refuses a text that is not a token. */
function checkProvider({ oidcToken, oidcClaims }: OauthProviderParams, config: AuthProxyConfig): void {
  const claimed = oidcToken === undefined ? undefined : peekOidcToken(oidcToken)
  if (claimed !== undefined) checkOwnClient(claimed, config)
  if (oidcClaims !== undefined) checkOwnClient({ audience: oidcClaims.aud }, config)
}

function answerOf({ subOrganizationId, rootUserIds, wallet }: JsonObject): object {
  const [userId] = Array.isArray(rootUserIds) ? rootUserIds : []
  return { organizationId: subOrganizationId, userId, wallet, appProofs: [] }
}
