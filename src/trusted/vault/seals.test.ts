import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../base/secret.ts'
import { toBase64url } from '../base/bytes.ts'
import type { ActivityRow, JobRow, ObjectRow } from '../catalogue/unit.ts'
import { open as openAead, seal as sealAead } from '../crypto/aead.ts'
import { hmacSha256 } from '../crypto/hmac.ts'
import { openKeyring } from './keyring.ts'
import { checkActivity, openJob, openObject, sealActivity, sealObject } from './seals.ts'

const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(5)) }])
const randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(7)

const unsealed: Omit<ActivityRow, 'seal'> = {
  organizationId: 'org',
  activityId: 'act',
  fingerprint: 'sha256:00',
  timestampMs: 9,
  type: 'ACTIVITY_TYPE_X',
  status: 'ACTIVITY_STATUS_COMPLETED',
  awaited: 0,
  revision: 1,
  createdAt: 10,
  updatedAt: 11,
  intent: '{"name":"Zoë 🔑"}',
  result: null,
  failure: null,
  votes: '[]',
  evaluations: '[]',
  voters: '[]',
}

/** As the first format joined them: lengths in UTF-16 units, everything as text. */
function firstFormat(parts: readonly (string | number | null)[]): Uint8Array {
  const text = parts.map((part) => (part === null ? '-:' : `${String(part).length}:${String(part)}`)).join('')
  return Buffer.from(text, 'utf8')
}

function firstSeal(bytes: Uint8Array): string {
  return `1.1.${toBase64url(bytes)}`
}

test('records, objects and messages that were sealed in the first format still open', () => {
  const parts = Object.values(unsealed)
  const sealed = {
    ...unsealed,
    seal: firstSeal(hmacSha256(keyring.sealKey('activity', 1), firstFormat(parts))),
  }
  checkActivity(keyring, sealed)
  assert.throws(() => checkActivity(keyring, { ...sealed, timestampMs: 10 }), /seal/)

  const key = keyring.objectKey('org', 1)
  const aead = (aad: Uint8Array, text: string) =>
    firstSeal(sealAead({ key, nonce: randomBytes(12), plaintext: Buffer.from(text), aad }))
  const object: ObjectRow = {
    organizationId: 'org',
    kind: 'private_key',
    objectId: 'one',
    body: '{"ü":1}',
    seal: aead(firstFormat(['org', 'private_key', 'one', '{"ü":1}']), 'secret'),
    expiresAt: null,
  }
  assert.equal(Buffer.from(openObject(keyring, object).reveal()).toString(), 'secret')
  const job: JobRow = {
    organizationId: 'org',
    jobId: 'one',
    kind: 'email',
    createdAt: 9,
    seal: aead(firstFormat(['errand', 'org', 'email', 'one', 9]), '{"channel":"email"}'),
  }
  assert.deepEqual(openJob(keyring, job), { channel: 'email' })
})

test('the seal of a record is the one that it has had', () => {
  assert.equal(sealActivity(keyring, unsealed).seal, '2.1.qbGVMhNjq9H5t9WDN2-e1AvYty2Vx0GDXK0Nx7r_gfw')
})

test('a number and the text of its digits are sealed apart', () => {
  const sealed = sealActivity(keyring, unsealed)
  checkActivity(keyring, sealed)
  for (const name of ['timestampMs', 'revision', 'createdAt', 'awaited'] as const) {
    // As a column would give it whose type was changed.
    const text = String(unsealed[name]) as never
    assert.throws(() => checkActivity(keyring, { ...sealed, [name]: text }), /seal/, name)
  }
})

test('a seal of the newest format is over the type and the bytes of each part', () => {
  const { seal } = sealObject(
    keyring,
    { organizationId: 'org', kind: 'k', objectId: 'ü', body: '{}', expiresAt: null },
    new Secret(Buffer.from('s')),
    randomBytes,
  )
  const [format, version, sealed = ''] = seal.split('.')
  assert.deepEqual([format, version], ['2', '1'])
  const aad = Buffer.from('s3:orgs1:ks2:üs2:{}', 'utf8')
  const opened = openAead({ key: keyring.objectKey('org', 1), sealed: Buffer.from(sealed, 'base64url'), aad })
  assert.equal(Buffer.from(opened ?? []).toString(), 's')
})

test('a seal under a format that there is not, or under the name of another one, opens nothing', () => {
  const { seal, ...row } = sealActivity(keyring, unsealed)
  const rest = seal.slice(1)
  for (const format of ['1', '0', '3', '02', '', ' 2', '2 '])
    assert.throws(() => checkActivity(keyring, { ...row, seal: `${format}${rest}` }), /seal/, format)
})
