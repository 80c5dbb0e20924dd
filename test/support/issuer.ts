import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { assert, present } from '../../src/trusted/base/assert.ts'

/** Whom a token is asked for, and what for. */
type Asked = {
  readonly subject: string
  readonly nonce?: string
  /** The client that asks: `web` unless given. */
  readonly audience?: string
  /** Makes the issuer tell `<subject>@example.com`, as an address that it has checked. */
  readonly withEmail?: boolean
}

/** An OpenID Connect issuer that runs here, and hands out its tokens as any issuer does: for a code, by PKCE. */
export type TestIssuer = {
  readonly issuer: string
  /** Goes the whole way of a browser: authorization, login, the code, and the token for it. */
  readonly token: (asked: Asked) => Promise<string>
  /** From now on it signs with another key, and publishes no other. */
  readonly rotate: () => void
  /** Its present keys, as it publishes them. */
  readonly publicKey: () => JWK
  /** A token of any claims with its own key, issued now unless they say otherwise: what it would never hand out. */
  readonly sign: (claims: JWTPayload, header?: object) => Promise<string>
  /** Paths that it was asked for, such as `/jwks`. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

const CLIENTS = ['web', 'phone']
const REDIRECT_URI = 'http://127.0.0.1/callback'

export async function anIssuer(): Promise<TestIssuer> {
  const asked: string[] = []
  const serving: { key: Key; listener: RequestListener | undefined } = { key: newKey(1), listener: undefined }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    serving.listener?.(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an address and a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const serve = () => {
    serving.listener = listenerOf(issuer, serving.key)
  }
  serve()
  return {
    issuer,
    asked,
    token: (wanted) => tokenByCode(issuer, wanted),
    rotate: () => {
      serving.key = newKey(serving.key.number + 1)
      serve()
    },
    publicKey: () => serving.key.publicJwk,
    sign: (claims, header = {}) =>
      new SignJWT({ iat: Math.floor(Date.now() / 1000), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: kidOf(serving.key), ...header })
        .sign(serving.key.privateKey),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Key = { readonly number: number; readonly privateKey: KeyObject; readonly publicJwk: JWK }

function newKey(number: number): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { number, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid: `key-${number}` } }
}

function kidOf({ number }: Key): string {
  return `key-${number}`
}

function listenerOf(issuer: string, key: Key): RequestListener {
  const jwk = { ...key.privateKey.export({ format: 'jwk' }), kid: kidOf(key), alg: 'ES256', use: 'sig' }
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    cookies: { keys: ['for tests'] },
    clients: CLIENTS.map((client_id) => ({
      client_id,
      application_type: 'native',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    })),
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // The address stands in the token itself, as with the issuers that people have.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Everyone has agreed to everything beforehand.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: present(oidc.client, 'a client').clientId,
        accountId: present(oidc.session?.accountId, 'an account'),
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const oidc = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') === true) void loginOf(provider, request, response)
    else void oidc(request, response)
  }
}

/** The page where people say who they are: here by the hint that came with the request. */
async function loginOf(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const login = { accountId: String(params['login_hint']) }
  await provider.interactionFinished(
    request,
    response,
    { login, consent: {} },
    { mergeWithLastSubmission: false },
  )
}

/** RFC 6749, section 4.1, with PKCE (RFC 7636), as a browser and a client without a secret would. */
async function tokenByCode(issuer: string, wanted: Asked): Promise<string> {
  const { subject, nonce, audience = 'web', withEmail = false } = wanted
  const verifier = createHash('sha256').update(`${issuer} ${subject} ${nonce}`).digest('base64url')
  const start = new URL('/auth', issuer)
  start.search = new URLSearchParams({
    client_id: audience,
    response_type: 'code',
    scope: withEmail ? 'openid email' : 'openid',
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: subject,
    ...(nonce === undefined ? {} : { nonce }),
  }).toString()
  const code = await codeFor(start)
  const answer = await fetch(new URL('/token', issuer), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: audience,
      redirect_uri: REDIRECT_URI,
      code,
      code_verifier: verifier,
    }),
  })
  const text = await answer.text()
  assert(answer.status === 200, `the issuer answers with a token, not ${text}`)
  // The answer of RFC 6749, section 5.1, with the token of OpenID Connect Core, section 3.1.3.3.
  return (JSON.parse(text) as { id_token: string }).id_token
}

/** Follows every redirection, with the cookies of a browser, until one leads back to the client. */
async function codeFor(start: URL): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
    url = new URL(location, url)
    const code = url.searchParams.get('code')
    if (code !== null && url.href.startsWith(REDIRECT_URI)) return code
  }
  throw new Error('the issuer redirects without end')
}
