import { isJsonObject, type JsonObject } from '../../trusted/base/strict-json.ts'
import { boolean, object, optional, text } from '../../trusted/catalogue/shape.ts'
import { ambiguousCredential } from '../pipeline/sub-organization-of.ts'
import { checkAllowed, otpAllowance } from './allowances.ts'
import type { AuthProxyConfig } from './config.ts'
import { foreignClient, loginOfParent, noAccount, noOauth2Credential } from './failures.ts'
import { isOwnClient, provenContact, provenIdentity } from './own-tokens.ts'
import { answeredText, endpoint, handedOn, type Proxied } from './proxied.ts'

const login = {
  publicKey: text({ max: 256 }),
  invalidateExisting: optional(boolean),
  organizationId: optional(text({ max: 64 })),
}
const sessionAnswer = object({ session: answeredText })
const otpLoginBody = { verificationToken: text({ max: 16_384 }), ...login }

export const otpLogin = endpoint(
  {
    summary: 'Log in with a verification token',
    body: object({ ...otpLoginBody, clientSignature: optional(handedOn) }),
    answer: sessionAnswer,
  },
  async (body, proxied) => await byOtp('ACTIVITY_TYPE_OTP_LOGIN', body, proxied),
)

export const otpLoginV2 = endpoint(
  {
    summary: 'Log in with a verification token and a signature of the key that it is bound to',
    body: object({ ...otpLoginBody, clientSignature: handedOn }),
    answer: sessionAnswer,
  },
  async (body, proxied) => await byOtp('ACTIVITY_TYPE_OTP_LOGIN_V2', body, proxied),
)

export const oauthLogin = endpoint(
  {
    summary: 'Log in with an OIDC token',
    body: object({ oidcToken: text({ max: 16_384 }), ...login }),
    answer: sessionAnswer,
  },
  async ({ organizationId = '', ...parameters }, proxied) => {
    const { config, member } = proxied
    checkAllowed(config, 'oauth')
    await provenIdentity(parameters.oidcToken, proxied)
    const filter = { filterType: 'OIDC_TOKEN', filterValue: parameters.oidcToken }
    const found =
      organizationId === ''
        ? onlyOne(await member.query('list_suborgs', filter), 'identity')
        : subOrganization(organizationId, config)
    return sessionOf(
      await member.submit('ACTIVITY_TYPE_OAUTH_LOGIN', { ...parameters, ...session(config) }, found),
    )
  },
)

/**
 * Exchanges the code of an OAuth 2.0 provider for a token of this service, with the client secret that the service has.
 */
export const oauth2Authenticate = endpoint(
  {
    summary: 'Exchange the code of an OAuth 2.0 provider for an OIDC token of this service',
    body: object({
      provider: text({ max: 64 }),
      authCode: text({ max: 16_384 }),
      redirectUri: text({ max: 2048 }),
      codeVerifier: text({ max: 1024 }),
      nonce: text({ max: 1024 }),
      clientId: text({ max: 1024 }),
    }),
    answer: object({ oidcToken: answeredText }),
  },
  async ({ provider, clientId, ...parameters }, { config, member }) => {
    checkAllowed(config, 'oauth')
    if (!isOwnClient(clientId, config)) throw foreignClient()
    const { oauth2Credentials } = await member.query('list_oauth2_credentials', {})
    const known = (Array.isArray(oauth2Credentials) ? oauth2Credentials : [])
      .filter(isJsonObject)
      .find((item) => item['provider'] === provider && item['clientId'] === clientId)
    if (known === undefined) throw noOauth2Credential({ provider, clientId })
    const { oidcToken } = await member.submit('ACTIVITY_TYPE_OAUTH2_AUTHENTICATE', {
      oauth2CredentialId: known['oauth2CredentialId'],
      ...parameters,
    })
    return { oidcToken }
  },
)

type OtpLogin = { readonly verificationToken: string; readonly organizationId?: string }

async function byOtp(
  type: string,
  { organizationId = '', ...parameters }: OtpLogin,
  proxied: Proxied,
): Promise<object> {
  const { config, member } = proxied
  const token = await provenContact(parameters.verificationToken, proxied)
  const allowance = otpAllowance(token.verificationType)
  checkAllowed(config, allowance)
  const filterType = allowance === 'otpEmail' ? 'EMAIL' : 'PHONE_NUMBER'
  const found =
    organizationId === ''
      ? onlyOne(
          await member.query('list_verified_suborgs', { filterType, filterValue: token.contact }),
          'verified contact',
        )
      : subOrganization(organizationId, config)
  return sessionOf(await member.submit(type, { ...parameters, ...session(config) }, found))
}

/** Even if the policies of the parent permit more to its key, this endpoint never logs in to the parent itself. */
function subOrganization(organizationId: string, config: AuthProxyConfig): string {
  if (organizationId === config.organizationId) throw loginOfParent()
  return organizationId
}

function session({ sessionExpirationSeconds }: AuthProxyConfig) {
  return { expirationSeconds: String(sessionExpirationSeconds) }
}

function sessionOf({ session }: JsonObject): object {
  return { session }
}

/** Only the user can say which of the two is meant. */
function onlyOne({ organizationIds }: JsonObject, what: string): string {
  const [only, ...more] = Array.isArray(organizationIds) ? organizationIds : []
  if (more.length > 0) throw ambiguousCredential({ what })
  if (typeof only !== 'string') throw noAccount()
  return only
}
