import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Instead, served, type ServiceAnswer, type ServiceRequest } from './served.ts'

const REGION = 'eu-central-1'
const ARN = `arn:aws:kms:${REGION}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`
const ALIAS = 'alias/claviger'
const ACCESS_KEY = 'AKIDEXAMPLE'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/** Says for each operation what comes instead of the answer of the service. */
export type AwsFault = (operation: string) => Instead | undefined

/**
 * A server that speaks the protocol of AWS KMS (JSON 1.1 with Signature Version 4) for one symmetric key, and takes nothing that differs
 * from it: every difference is an assertion that failed, kept in `wrong`.
 */
export async function anAwsKms(t: TestContext, fault: AwsFault = () => undefined) {
  const master = randomBytes(32)
  const asked: string[] = []
  const wrong: unknown[] = []
  const url = await served(t, (request) => {
    try {
      const operation = operationOf(request)
      asked.push(operation)
      const refused = refusedSignature(request)
      return fault(operation) ?? refused ?? answer(master, operation, JSON.parse(request.body))
    } catch (error) {
      wrong.push(error)
      return { status: 400, body: { __type: 'ValidationException', message: String(error) } }
    }
  })
  const environment = {
    AWS_ENDPOINT_URL_KMS: url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  }
  return { url, environment, asked, wrong, arn: ARN, seal: `aws-kms key=${ALIAS}`, secret: SECRET_KEY }
}

export function awsError(type: string): ServiceAnswer {
  return { status: 400, body: { __type: type, message: `${type} for ${SECRET_KEY}` } }
}

function operationOf({ method, path, headers, body }: ServiceRequest): string {
  assert.equal(method, 'POST')
  assert.equal(path, '/')
  assert.equal(headers['content-type'], 'application/x-amz-json-1.1')
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['transfer-encoding'], undefined)
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)))
  const [service, operation = ''] = String(headers['x-amz-target']).split('.')
  assert.equal(service, 'TrentService')
  return operation
}

function answer(
  master: Uint8Array,
  operation: string,
  asked: Readonly<Record<string, unknown>>,
): ServiceAnswer {
  const context = contextIn(asked['EncryptionContext'])
  if (operation === 'Encrypt') {
    assert.deepEqual(Object.keys(asked).toSorted(), ['EncryptionContext', 'KeyId', 'Plaintext'])
    if (asked['KeyId'] !== ALIAS && asked['KeyId'] !== ARN) return awsError('NotFoundException')
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(context)
    const encrypted = Buffer.concat([cipher.update(base64In(asked['Plaintext'])), cipher.final()])
    const blob = Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64')
    return {
      status: 200,
      body: { CiphertextBlob: blob, KeyId: ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' },
    }
  }
  assert.equal(operation, 'Decrypt')
  assert.deepEqual(Object.keys(asked).toSorted(), ['CiphertextBlob', 'EncryptionContext', 'KeyId'])
  if (asked['KeyId'] !== ARN) return awsError('NotFoundException')
  const blob = base64In(asked['CiphertextBlob'])
  try {
    const decipher = createDecipheriv('aes-256-gcm', master, blob.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(context).setAuthTag(blob.subarray(-16))
    const plaintext = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()])
    const Plaintext = plaintext.toString('base64')
    return { status: 200, body: { Plaintext, KeyId: ARN, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' } }
  } catch {
    return awsError('InvalidCiphertextException')
  }
}

function contextIn(context: unknown): Uint8Array {
  assert.ok(typeof context === 'object' && context !== null)
  const pairs = Object.entries(context)
  assert.deepEqual(
    pairs.map(([name, value]) => [name, /^[0-9a-f]{32}$/.test(String(value))]),
    [['claviger:root-key', true]],
  )
  return Buffer.from(JSON.stringify(pairs.toSorted()))
}

function base64In(value: unknown): Buffer {
  assert.ok(typeof value === 'string' && /^[A-Za-z0-9+/]+=*$/.test(value))
  return Buffer.from(value, 'base64')
}

/** Signature Version 4, computed again: "Create a signed AWS API request" of the IAM User Guide. */
function refusedSignature({ method, path, headers, body }: ServiceRequest): ServiceAnswer | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, accessKey, day = '', region, names = '', signature] =
    form.exec(String(headers.authorization)) ?? []
  assert.ok(names !== '', 'it is signed')
  if (accessKey !== ACCESS_KEY) return awsError('UnrecognizedClientException')
  assert.equal(region, REGION)
  const time = String(headers['x-amz-date'])
  assert.match(time, /^\d{8}T\d{6}Z$/)
  assert.equal(time.slice(0, 8), day)
  const signed = names.split(';')
  for (const name of ['content-type', 'host', 'x-amz-date', 'x-amz-target'])
    assert.ok(signed.includes(name), `${name} is signed`)
  assert.deepEqual(signed, signed.toSorted())
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const canonical = [method, path, '', lines.join(''), names, sha256(body)].join('\n')
  const scope = `${day}/${REGION}/kms/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, REGION, 'kms', 'aws4_request'].reduce<string | Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    `AWS4${SECRET_KEY}`,
  )
  const right = createHmac('sha256', key).update(toSign).digest('hex')
  return signature === right ? undefined : awsError('InvalidSignatureException')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
