import { assert } from '../../trusted/base/assert.ts'
import { utf8 } from '../../trusted/base/bytes.ts'
import { isJsonObject, type JsonObject } from '../../trusted/base/strict-json.ts'
import type { Outbound, OutboundRequest, OutboundResponse } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import { jsonAnswer } from './json-answer.ts'

export type Oauth2Provider = 'OAUTH2_PROVIDER_X' | 'OAUTH2_PROVIDER_DISCORD'

type Oauth2Endpoint = {
  readonly tokenUrl: string
  readonly userUrl: string
  /** Where the answer about the user has the id. */
  readonly subjectOf: (user: JsonObject) => unknown
}

export type Oauth2Code = {
  readonly provider: Oauth2Provider
  readonly clientId: string
  readonly clientSecret: string
  readonly authCode: string
  readonly redirectUri: string
  /** Of PKCE, RFC 7636. */
  readonly codeVerifier: string
}

/** The id of the user at the provider, decimal; and the token with which the provider was asked for it. */
type Oauth2Identity = { readonly subject: string; readonly bearerToken: string }

/**
 * The provider refused the code, or the client. `reason` is the provider's error code (RFC 6749, 5.2) where it is a
 * registered one.
 */
export class Oauth2Refusal extends Error {
  override readonly name = 'Oauth2Refusal'
  readonly reason: string | undefined

  constructor(reason: string | undefined) {
    super(`the provider refused the code${reason === undefined ? '' : ` (${reason})`}`)
    this.reason = reason
  }
}

export const oauth2Endpoints: Readonly<Record<Oauth2Provider, Oauth2Endpoint>> = {
  OAUTH2_PROVIDER_X: {
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    userUrl: 'https://api.x.com/2/users/me',
    subjectOf: ({ data }) => (isJsonObject(data) ? data['id'] : undefined),
  },
  OAUTH2_PROVIDER_DISCORD: {
    tokenUrl: 'https://discord.com/api/oauth2/token',
    userUrl: 'https://discord.com/api/users/@me',
    subjectOf: ({ id }) => id,
  },
}

const LIMITS = { timeoutMs: 10_000, responseBytesMax: 64 * 1024 } as const
const BEARER_TOKEN = /^[\w.~+/-]{1,4096}={0,2}$/ // RFC 6750, 2.1
const REASONS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
]

/**
 * Exchanges an authorization code for a token, and the token for the id of the user.
 *
 * @throws Oauth2Refusal when the provider refuses the code or the client
 * @throws OutboundError when it does not answer, or not as RFC 6749 has it
 */
export async function exchangeOauth2Code(
  outbound: Outbound,
  code: Oauth2Code,
  endpoints: Readonly<Record<Oauth2Provider, Oauth2Endpoint>> = oauth2Endpoints,
): Promise<Oauth2Identity> {
  assert(Object.hasOwn(endpoints, code.provider), 'a provider of the table')
  const endpoint = endpoints[code.provider]
  const bearerToken = tokenOf(await outbound.request(tokenRequest(endpoint, code)))
  const user = await outbound.request({
    ...LIMITS,
    method: 'GET',
    url: endpoint.userUrl,
    headers: { authorization: `Bearer ${bearerToken}`, accept: 'application/json' },
  })
  if (user.status !== 200)
    throw new OutboundError('badResponse', `asked for the user, the provider answered ${user.status}`)
  const subject = endpoint.subjectOf(jsonAnswer(user.body))
  if (typeof subject !== 'string' || !/^\d{1,32}$/.test(subject))
    throw new OutboundError('badResponse', 'the provider told no id of the user')
  return { subject, bearerToken }
}

/** RFC 6749, 4.1.3, with the client authenticated as in 2.3.1. */
function tokenRequest({ tokenUrl }: Oauth2Endpoint, code: Oauth2Code): OutboundRequest {
  const client = [code.clientId, code.clientSecret].map(encodeURIComponent).join(':')
  const form = {
    grant_type: 'authorization_code',
    code: code.authCode,
    redirect_uri: code.redirectUri,
    code_verifier: code.codeVerifier,
  }
  return {
    ...LIMITS,
    method: 'POST',
    url: tokenUrl,
    headers: {
      authorization: `Basic ${Buffer.from(client).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: utf8(new URLSearchParams(form).toString()),
  }
}

function tokenOf({ status, body }: OutboundResponse): string {
  if (status === 400 || status === 401) throw new Oauth2Refusal(reasonOf(body))
  if (status !== 200)
    throw new OutboundError('badResponse', `asked for a token, the provider answered ${status}`)
  const { access_token: token, token_type: type } = jsonAnswer(body)
  if (
    typeof type !== 'string' ||
    type.toLowerCase() !== 'bearer' ||
    typeof token !== 'string' ||
    !BEARER_TOKEN.test(token)
  )
    throw new OutboundError('badResponse', 'the provider gave no bearer token')
  return token
}

function reasonOf(body: Uint8Array): string | undefined {
  return REASONS.find((reason) => Buffer.from(body).toString().includes(`"${reason}"`))
}
