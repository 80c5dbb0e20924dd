import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { aLoopbackCertificate } from './loopback-certificate.ts'
import { type Instead, served, type ServiceAnswer, type ServiceRequest } from './served.ts'

const NAME = 'claviger'
const VERSION = '0123456789abcdef0123456789abcdef'
const CLIENT_ID = '11111111-2222-3333-4444-555555555555'
const SECRET = 'the-secret-of-the-client'
// The client asks that the vault's name ends with that of the resource. This one is the end of 127.0.0.1, and no host
// anywhere.
const RESOURCE = 'vault://0.0.1'
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }

/** Says for each operation what comes instead of the answer of the service. */
export type AzureFault = (operation: string) => Instead | undefined

/**
 * A server that speaks the protocol of Azure Key Vault for one RSA key and that of the issuer of its tokens, over TLS,
 * and takes nothing that differs from either: every difference is an assertion that failed, kept in `wrong`.
 */
export async function anAzureKeyVault(t: TestContext, fault: AzureFault = () => undefined) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const token = randomBytes(20).toString('hex')
  const asked: string[] = []
  const wrong: unknown[] = []
  /** Keys in the clear, as they went over the wire. */
  const inTheClear: string[] = []
  /** The end of the key, in seconds since 1970. From then on it encrypts nothing more, and decrypts as before. */
  const life: { exp?: number } = {}
  let url = ''
  const certificate = aLoopbackCertificate()
  const answer = (request: ServiceRequest): Instead => {
    if (request.path.startsWith('/adfs/')) return fault('token') ?? issued(url, token, request)
    assert.match(decodeURIComponent(request.path), /\?api-version=\d{4}-\d\d-\d\d$/)
    if (request.headers.authorization === undefined) {
      // The client shows nothing before it knows who asks for a token.
      assert.equal(request.body, '')
      const challenge = `Bearer authorization="${url}/adfs", resource="${RESOURCE}"`
      return fault('challenge') ?? { status: 401, headers: { 'WWW-Authenticate': challenge } }
    }
    assert.equal(request.headers.authorization, `Bearer ${token}`)
    const operation = operationOf(request)
    asked.push(operation)
    const kid = `${url}/keys/${NAME}/${VERSION}`
    const instead = fault(operation)
    if (instead !== undefined) return instead
    if (!request.path.startsWith(`/keys/${NAME}/`)) return azureError(404, 'KeyNotFound')
    if (operation === 'get') {
      const { n, e } = publicKey.export({ format: 'jwk' })
      const key_ops = ['wrapKey', 'unwrapKey']
      const attributes = { enabled: true, created: 1, updated: 1, recoveryLevel: 'Recoverable', ...life }
      return { status: 200, body: { key: { kid, kty: 'RSA', key_ops, n, e }, attributes } }
    }
    if (!request.path.startsWith(`/keys/${NAME}/${VERSION}/`)) return azureError(404, 'KeyNotFound')
    if (operation === 'wrapKey' && life.exp !== undefined) return azureError(403, 'KeyExpired')
    const { alg, value, ...more } = JSON.parse(request.body)
    assert.deepEqual([alg, more], ['RSA-OAEP-256', {}])
    assert.match(value, /^[\w-]+$/)
    const bytes = Buffer.from(value, 'base64url')
    if (operation === 'wrapKey') assert.equal(bytes.length, 32)
    try {
      const done =
        operation === 'wrapKey'
          ? publicEncrypt({ key: publicKey, ...OAEP }, bytes)
          : privateDecrypt({ key: privateKey, ...OAEP }, bytes)
      inTheClear.push((operation === 'wrapKey' ? bytes : done).toString('base64url'))
      return { status: 200, body: { kid, value: done.toString('base64url') } }
    } catch {
      return azureError(400, 'BadParameter')
    }
  }
  url = await served(
    t,
    (request) => {
      try {
        return answer(request)
      } catch (error) {
        wrong.push(error)
        return azureError(500, 'Wrong')
      }
    },
    certificate,
  )
  const environment = {
    AZURE_KEYVAULT_URL: url,
    AZURE_AUTHORITY_HOST: url,
    AZURE_TENANT_ID: 'adfs',
    AZURE_CLIENT_ID: CLIENT_ID,
    AZURE_CLIENT_SECRET: SECRET,
    AZURE_TOKEN_CREDENTIALS: 'environmentcredential',
    NODE_EXTRA_CA_CERTS: certificate.path,
  }
  const key = `${NAME}/${VERSION}`
  return {
    url,
    environment,
    asked,
    wrong,
    inTheClear,
    life,
    key,
    certificate,
    seal: `azure-key-vault key=${NAME}`,
    secret: SECRET,
  }
}

export function azureError(status: number, inner: string): ServiceAnswer {
  const innererror = { code: inner }
  return { status, body: { error: { code: 'Refused', message: `${inner} for ${SECRET}`, innererror } } }
}

function operationOf({ method, path, headers, body }: ServiceRequest): string {
  const [, operation] = /^\/keys\/[\w-]+\/[\w-]*(?:\/(wrapkey|unwrapkey))?\?/.exec(path) ?? []
  if (method === 'GET') {
    assert.match(path, /^\/keys\/[\w-]+\/[\w-]*\?/)
    return 'get'
  }
  assert.equal(method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)))
  assert.ok(operation !== undefined, path)
  return operation === 'wrapkey' ? 'wrapKey' : 'unwrapKey'
}

/** The issuer of tokens: its description, and a token for the secret of the client. */
function issued(url: string, token: string, { method, path, body }: ServiceRequest): ServiceAnswer {
  if (path.startsWith('/adfs/.well-known/openid-configuration'))
    return {
      status: 200,
      body: {
        issuer: `${url}/adfs`,
        authorization_endpoint: `${url}/adfs/oauth2/authorize/`,
        token_endpoint: `${url}/adfs/oauth2/token/`,
        jwks_uri: `${url}/adfs/discovery/keys`,
        end_session_endpoint: `${url}/adfs/oauth2/logout`,
      },
    }
  assert.equal(method, 'POST')
  assert.ok(path.startsWith('/adfs/oauth2/token/'), path)
  const form = new URLSearchParams(body)
  assert.equal(form.get('grant_type'), 'client_credentials')
  assert.equal(form.get('client_id'), CLIENT_ID)
  assert.equal(form.get('scope'), `${RESOURCE}/.default`)
  if (form.get('client_secret') !== SECRET)
    return { status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } }
  return { status: 200, body: { token_type: 'Bearer', expires_in: 3600, access_token: token } }
}
