import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Instead, served, type ServiceAnswer, type ServiceRequest } from './served.ts'
import { signatureRefused } from './signature-v4.ts'

const REGION = 'eu-central-1'
const ARN = `arn:aws:kms:${REGION}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`
const ALIAS = 'alias/claviger'
const ACCESS_KEY = 'AKIDEXAMPLE'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/** Says for each operation what comes instead of the answer of the service. */
export type AwsFault = (operation: string) => Instead | undefined

/**
 * A server that speaks the protocol of AWS KMS (JSON 1.1 with Signature Version 4) for one symmetric key, and takes
 * nothing that differs from it: every difference is an assertion that failed, kept in `wrong`.
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

function refusedSignature(request: ServiceRequest): ServiceAnswer | undefined {
  const refused = signatureRefused(request, {
    service: 'kms',
    region: REGION,
    accessKey: ACCESS_KEY,
    secretKey: SECRET_KEY,
    signed: ['content-type', 'host', 'x-amz-date', 'x-amz-target'],
    payload: createHash('sha256').update(request.bytes).digest('hex'),
  })
  if (refused === undefined) return undefined
  return awsError(refused === 'key' ? 'UnrecognizedClientException' : 'InvalidSignatureException')
}
