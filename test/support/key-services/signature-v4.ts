import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { ServiceRequest } from './served.ts'

/**
 * Signature Version 4, computed again: "Create a signed AWS API request" of the IAM User Guide. What differs from the
 * form is an assertion that fails.
 *
 * @param signed   headers that have to be signed
 * @param payload  the hash that stands for the body
 * @returns which of the two is wrong, if one is: the name of the key, or the signature
 */
export function signatureRefused(
  { method, path, headers }: ServiceRequest,
  {
    service,
    region,
    accessKey,
    secretKey,
    signed: required,
    payload,
  }: {
    readonly service: string
    readonly region: string
    readonly accessKey: string
    readonly secretKey: string
    readonly signed: readonly string[]
    readonly payload: string
  },
): 'key' | 'signature' | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', saidRegion, saidService, names = '', signature] =
    form.exec(String(headers.authorization)) ?? []
  assert.ok(names !== '', 'it is signed')
  if (key !== accessKey) return 'key'
  assert.deepEqual([saidService, saidRegion], [service, region])
  const time = String(headers['x-amz-date'])
  assert.match(time, /^\d{8}T\d{6}Z$/)
  assert.equal(time.slice(0, 8), day)
  const signed = names.split(';')
  for (const name of required) assert.ok(signed.includes(name), `${name} is signed`)
  assert.deepEqual(signed, signed.toSorted())
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const [place = '', query = ''] = path.split('?')
  const canonical = [method, place, canonicalQuery(query), lines.join(''), names, payload].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signingKey = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    `AWS4${secretKey}`,
  )
  const right = createHmac('sha256', signingKey).update(toSign).digest('hex')
  return signature === right ? undefined : 'signature'
}

/** The parameters as they were sent, in order; one without a value gets an empty one. */
function canonicalQuery(query: string): string {
  return query
    .split('&')
    .map((parameter) => (parameter === '' || parameter.includes('=') ? parameter : `${parameter}=`))
    .toSorted()
    .join('&')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
