import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from '../running-service.ts'
import { type Instead, served, type ServiceAnswer, type ServiceRequest } from './served.ts'

const KEY = 'projects/acme-prod/locations/europe-west3/keyRings/vault/cryptoKeys/claviger'
const EMAIL = 'claviger@acme-prod.iam.gserviceaccount.com'

/** Says for each method what comes instead of the answer of the service. */
export type GoogleFault = (method: string) => Instead | undefined

/**
 * A server that speaks the REST protocol of Google Cloud KMS for one symmetric key, to a service account whose tokens
 * it verifies, and takes nothing that differs: every difference is an assertion that failed, kept in `wrong`.
 */
export async function aGoogleKms(t: TestContext, fault: GoogleFault = () => undefined) {
  const master = randomBytes(32)
  const asked: string[] = []
  const wrong: unknown[] = []
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const url = await served(t, (request) => {
    try {
      const method = methodOf(request)
      asked.push(method)
      const token = String(request.headers.authorization)
      return (
        fault(method) ??
        refusedToken(token, publicKey.export({ type: 'spki', format: 'pem' }).toString()) ??
        answer(master, request.path, JSON.parse(request.body))
      )
    } catch (error) {
      wrong.push(error)
      return googleError(400, 'INVALID_ARGUMENT')
    }
  })
  const account = join(temporaryFolder(), 'account.json')
  writeFileSync(
    account,
    JSON.stringify({
      type: 'service_account',
      project_id: 'acme-prod',
      private_key_id: 'one',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: EMAIL,
      client_id: '1',
      token_uri: `${url}/token`,
    }),
    { mode: 0o600 },
  )
  const environment = {
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: `${url}/`,
    GOOGLE_APPLICATION_CREDENTIALS: account,
  }
  return { url, environment, asked, wrong, key: KEY, seal: `google-kms key=${KEY}` }
}

export function googleError(status: number, name: string): ServiceAnswer {
  return { status, body: { error: { code: status, message: `${name} for ${EMAIL}`, status: name } } }
}

function methodOf({ method, path, headers }: ServiceRequest): string {
  assert.equal(method, 'POST')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['content-encoding'], undefined)
  const [, name = ''] =
    /^\/v1\/projects\/.*:(encrypt|decrypt)\?\$alt=json%3Benum-encoding=int$/.exec(path) ?? []
  assert.ok(name !== '', path)
  return name
}

function answer(master: Uint8Array, path: string, asked: Readonly<Record<string, unknown>>): ServiceAnswer {
  if (!path.startsWith(`/v1/${KEY}:`)) return googleError(404, 'NOT_FOUND')
  const isEncrypt = path.startsWith(`/v1/${KEY}:encrypt?`)
  const field = isEncrypt ? 'plaintext' : 'ciphertext'
  const fields = ['additionalAuthenticatedData', 'additionalAuthenticatedDataCrc32c', field, `${field}Crc32c`]
  assert.deepEqual(Object.keys(asked).toSorted(), fields.toSorted())
  const aad = checkedBytes(asked, 'additionalAuthenticatedData')
  assert.match(aad.toString(), /^claviger root key [0-9a-f]{32}$/)
  const bytes = checkedBytes(asked, field)
  if (isEncrypt) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(aad)
    const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
    const ciphertext = Buffer.concat([nonce, encrypted, cipher.getAuthTag()])
    return {
      status: 200,
      body: {
        name: `${KEY}/cryptoKeyVersions/1`,
        ...fieldOf('ciphertext', ciphertext),
        verifiedPlaintextCrc32c: true,
        verifiedAdditionalAuthenticatedDataCrc32c: true,
        protectionLevel: 'HSM',
      },
    }
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(aad).setAuthTag(bytes.subarray(-16))
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
    return { status: 200, body: { ...fieldOf('plaintext', plaintext), usedPrimary: true } }
  } catch {
    return googleError(400, 'INVALID_ARGUMENT')
  }
}

/** Bytes and their checksum, as the JSON of protocol buffers writes them: 64-bit numbers are texts. */
export function fieldOf(name: string, bytes: Buffer) {
  return { [name]: bytes.toString('base64'), [`${name}Crc32c`]: String(castagnoli(bytes)) }
}

function checkedBytes(asked: Readonly<Record<string, unknown>>, name: string): Buffer {
  const value = asked[name]
  assert.ok(typeof value === 'string' && /^[A-Za-z0-9+/]+=*$/.test(value), name)
  const bytes = Buffer.from(value, 'base64')
  assert.equal(asked[`${name}Crc32c`], String(castagnoli(bytes)))
  return bytes
}

/** CRC-32C by long division, one bit after the other: another way than that of the package. */
function castagnoli(bytes: Uint8Array): number {
  const reversed = (value: number, bits: number): bigint =>
    BigInt(`0b${value.toString(2).padStart(bits, '0').split('').toReversed().join('')}`)
  let rest = 0n
  const all = [...bytes].map((byte) => reversed(byte, 8))
  // The first 32 bits are inverted, and 32 zeros follow.
  for (const [index, byte] of [...all, 0n, 0n, 0n, 0n].entries()) {
    rest = (rest << 8n) | (index < 4 ? byte ^ 0xffn : byte)
    for (let bit = 7n; bit >= 0n; bit--) if ((rest >> (32n + bit)) & 1n) rest ^= 0x1_1edc_6f41n << bit
  }
  return Number(reversed(Number(rest ^ 0xffff_ffffn), 32))
}

/** A token that the account has signed itself (AIP-4111). */
function refusedToken(authorization: string, publicKey: string): ServiceAnswer | undefined {
  const [, header = '', claims = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization) ?? []
  const verifier = createVerify('RSA-SHA256').update(`${header}.${claims}`)
  if (header === '' || !verifier.verify(publicKey, signature, 'base64url'))
    return googleError(401, 'UNAUTHENTICATED')
  assert.deepEqual(read(header), { alg: 'RS256', typ: 'JWT', kid: 'one' })
  const { iss, sub, scope, iat, exp } = read(claims)
  assert.deepEqual([iss, sub, scope], [EMAIL, EMAIL, SCOPES])
  assert.ok(Number(exp) - Number(iat) <= 3600)
  return undefined
}

const SCOPES = 'https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/cloudkms'

function read(part: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
