import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { exchangeOauth2Code, type Oauth2Code, Oauth2Refusal, oauth2Endpoints } from './oauth2-exchange.ts'
import { openOutbound } from './outbound.ts'
import { endlessTimers } from './testing/timers.ts'

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' // RFC 7636, appendix B
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const code: Oauth2Code = {
  provider: 'OAUTH2_PROVIDER_X',
  clientId: 'client:1',
  clientSecret: 'se cret',
  authCode: 'code-1',
  redirectUri: 'https://app.acme.test/back?a=b',
  codeVerifier: verifier,
}

type Answer = { readonly status?: number; readonly body: unknown }
const USERS = {
  OAUTH2_PROVIDER_X: { data: { id: '2244994945', name: 'Ann', username: 'ann' } },
  OAUTH2_PROVIDER_DISCORD: { id: '80351110224678912', username: 'ann', accent_color: 16711680 },
}

/** An authorization server after RFC 6749 and RFC 7636 with the paths of both providers, unless told what to answer. */
async function provider(context: TestContext, bent: { token?: Answer; user?: Answer } = {}) {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const asksToken = request.url?.endsWith('/oauth2/token') === true
    const answer = asksToken ? (bent.token ?? token(request, form)) : (bent.user ?? user(request))
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      .end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outbound = openOutbound({ allowPrivate: true, timers: endlessTimers })
  context.after(() => {
    outbound.close()
    server.close()
  })
  // A TCP server that listens has an address and a port.
  const { port } = server.address() as AddressInfo
  const here = (url: string) => url.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${port}`)
  const moved = ({ tokenUrl, userUrl, subjectOf }: (typeof oauth2Endpoints)['OAUTH2_PROVIDER_X']) => ({
    tokenUrl: here(tokenUrl),
    userUrl: here(userUrl),
    subjectOf,
  })
  const endpoints = {
    OAUTH2_PROVIDER_X: moved(oauth2Endpoints.OAUTH2_PROVIDER_X),
    OAUTH2_PROVIDER_DISCORD: moved(oauth2Endpoints.OAUTH2_PROVIDER_DISCORD),
  }
  return (more: Partial<Oauth2Code> = {}) => exchangeOauth2Code(outbound, { ...code, ...more }, endpoints)
}

function token({ headers, method }: IncomingMessage, form: URLSearchParams): Answer {
  const basic = `Basic ${Buffer.from('client%3A1:se%20cret').toString('base64')}`
  if (method !== 'POST' || headers.authorization !== basic)
    return { status: 401, body: { error: 'invalid_client' } }
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isGood =
    form.get('grant_type') === 'authorization_code' &&
    form.get('code') === 'code-1' &&
    form.get('redirect_uri') === code.redirectUri &&
    proof === challenge
  return isGood
    ? { body: { token_type: 'bearer', expires_in: 7200, access_token: 'to-ken_1~+/=', scope: 'users.read' } }
    : { status: 400, body: { error: 'invalid_grant', error_description: 'no' } }
}

function user({ headers, url }: IncomingMessage): Answer {
  if (headers.authorization !== 'Bearer to-ken_1~+/=') return { status: 401, body: {} }
  return { body: url === '/2/users/me' ? USERS.OAUTH2_PROVIDER_X : USERS.OAUTH2_PROVIDER_DISCORD }
}

test('a code is exchanged for the id of the user, at each provider', async (context) => {
  const exchange = await provider(context)
  assert.deepEqual(await exchange(), { subject: '2244994945', bearerToken: 'to-ken_1~+/=' })
  assert.deepEqual(await exchange({ provider: 'OAUTH2_PROVIDER_DISCORD' }), {
    subject: '80351110224678912',
    bearerToken: 'to-ken_1~+/=',
  })
})

test('the providers are where their documentation says', () => {
  const urls = Object.values(oauth2Endpoints).flatMap(({ tokenUrl, userUrl }) => [tokenUrl, userUrl])
  assert.deepEqual(urls, [
    'https://api.x.com/2/oauth2/token',
    'https://api.x.com/2/users/me',
    'https://discord.com/api/oauth2/token',
    'https://discord.com/api/users/@me',
  ])
})

test('a wrong code, verifier, redirection or client is refused by the provider, and said to be', async (context) => {
  const exchange = await provider(context)
  for (const [more, reason] of [
    [{ authCode: 'code-2' }, 'invalid_grant'],
    [{ codeVerifier: 'x' }, 'invalid_grant'],
    [{ redirectUri: 'https://evil.test/' }, 'invalid_grant'],
    [{ clientSecret: 'x' }, 'invalid_client'],
  ] as const)
    await assert.rejects(exchange(more), (error: unknown) => {
      assert.ok(error instanceof Oauth2Refusal)
      assert.equal(error.reason, reason)
      return true
    })
})

test('anything else that a provider answers is no identity', async (context) => {
  const good = { token_type: 'Bearer', access_token: 'to-ken_1~+/=' }
  const tokens: readonly Answer[] = [
    { status: 302, body: '' },
    { status: 500, body: {} },
    { body: 'not JSON' },
    { body: {} },
    { body: { ...good, token_type: 'mac' } },
    { body: { ...good, access_token: 'a\r\nx-evil: b' } },
    { body: { ...good, access_token: '' } },
    { body: { ...good, access_token: 1 } },
  ]
  const users: readonly Answer[] = [
    { status: 401, body: {} },
    { body: [] },
    { body: { id: '1' } },
    { body: { data: [] } },
    { body: { data: { id: 1 } } },
    { body: { data: { id: '' } } },
    { body: { data: { id: 'ann' } } },
    { body: { data: { id: '1'.repeat(33) } } },
  ]
  for (const bent of [...tokens.map((item) => ({ token: item })), ...users.map((item) => ({ user: item }))]) {
    const exchange = await provider(context, bent)
    await assert.rejects(exchange(), { name: 'OutboundError', kind: 'badResponse' }, JSON.stringify(bent))
  }
})

test('a provider that is not in the table is a bug', async (context) => {
  const exchange = await provider(context)
  // The type says that there are two; this is what a caller without types could do.
  const provider3 = 'constructor' as Oauth2Code['provider']
  await assert.rejects(exchange({ provider: provider3 }), { name: 'Bug' })
})
