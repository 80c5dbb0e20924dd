import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../base/secret.ts'
import { toBase64url } from '../../base/bytes.ts'
import type { ActivityRow, JobRow, ObjectRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { writeCharter } from '../../charter/charter-document.ts'
import { open as openAead, seal as sealAead } from '../../crypto/aead.ts'
import { hmacSha256 } from '../../crypto/hmac.ts'
import { openKeyring } from '../keys/keyring.ts'
import {
  checkActivity,
  fitsCharter,
  fitsObject,
  isOwnCount,
  openCharter,
  openJob,
  openObject,
  proofOrigin,
  resealedActivity,
  resealedCharter,
  resealedObject,
  rootProof,
  sealActivity,
  sealCharter,
  sealCount,
  sealJob,
  sealObject,
} from './seals.ts'

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

const both = openKeyring(
  [1, 2].map((version) => ({ version, secret: new Secret(new Uint8Array(32).fill(4 + version)) })),
)
const second = openKeyring([{ version: 2, secret: new Secret(new Uint8Array(32).fill(6)) }])
// Nothing else of a charter is looked at.
const charter = { organizationId: 'org', version: 9 } as Charter
const unsealedObject = { organizationId: 'org', kind: 'k', objectId: 'o', body: '{}', expiresAt: null }

function objectOf(secret: string, by = keyring): ObjectRow {
  return sealObject(by, unsealedObject, new Secret(Buffer.from(secret)), randomBytes)
}

test('a charter opens as it was sealed, and with nothing of its row changed', () => {
  const row = sealCharter(keyring, charter)
  assert.deepEqual(openCharter(keyring, row), charter)
  for (const change of [{ version: 10 }, { organizationId: 'other' }, { body: row.body.replace('9', '8') }])
    assert.throws(() => openCharter(keyring, { ...row, ...change }), /does not carry the vault's seal/)
})

test('a charter whose sealed columns are not those of its body is not decided on', () => {
  // The first format takes the text of a number for the number, and no check of shapes stands before it here.
  const body = writeCharter(charter)
  for (const [organizationId, version] of [
    ['org', '9'],
    ['org', 10],
    ['other', 9],
  ] as const) {
    const seal = firstSeal(
      hmacSha256(keyring.sealKey('charter', 1), firstFormat([organizationId, version, body])),
    )
    const row = { organizationId, version: version as number, body, seal }
    assert.throws(() => openCharter(keyring, row), /does not carry the vault's seal/, String(version))
  }
})

test('an object or a message that was changed is tampered with; under a version that is not held it is not', () => {
  const object = objectOf('secret')
  assert.equal(Buffer.from(openObject(keyring, object).reveal()).toString(), 'secret')
  assert.throws(() => openObject(keyring, { ...object, body: '{"a":1}' }), /does not carry the vault's seal/)
  assert.throws(() => openObject(second, object), { name: 'Bug', message: /root key version 1/ })
  assert.throws(() => openObject(keyring, { ...object, seal: 'none' }), /does not carry the vault's seal/)

  const message = { channel: 'email' } as never
  const job = sealJob(
    keyring,
    { organizationId: 'org', jobId: 'j', kind: 'email', createdAt: 9 },
    message,
    randomBytes,
  )
  assert.deepEqual(openJob(keyring, job), { channel: 'email' })
  assert.throws(() => openJob(keyring, { ...job, jobId: 'i' }), /does not carry the vault's seal/)
  assert.throws(() => openJob(second, job), { message: /root key version 1/ })
})

test('a seal has exactly its three parts, written in one way', () => {
  const { seal, ...row } = sealActivity(keyring, unsealed)
  for (const other of [
    `${seal}.`,
    `${seal}.x`,
    `${seal}=`,
    seal.replace('2.1.', '2.01.'),
    '2.1',
    '2..',
    `${seal.slice(0, -1)}!`,
  ])
    assert.throws(
      () => checkActivity(keyring, { ...row, seal: other }),
      /does not carry the vault's seal/,
      other,
    )
})

test('the same row under another seal is known for the same, and another is not', () => {
  const row = sealCharter(keyring, charter)
  const resealed = { ...row, seal: resealedCharter(both, row) }
  assert.equal(fitsCharter(both, resealed, row.seal), true)
  assert.equal(fitsCharter(both, sealCharter(both, { ...charter, version: 10 }), row.seal), false)

  const object = objectOf('secret')
  assert.equal(fitsObject(both, objectOf('secret', both), object.seal), true)
  assert.equal(fitsObject(both, objectOf('another', both), object.seal), false)
  assert.equal(fitsObject(both, objectOf('secret', both), 'none'), false)
  assert.equal(fitsObject(both, { ...object, seal: 'none' }, object.seal), false)
  assert.equal(fitsObject(both, { ...object, seal: 'none' }, 'none'), false)
})

test('only what carries its seal is sealed anew, and its secret is wiped', (t) => {
  const row = sealCharter(keyring, charter)
  assert.throws(() => resealedCharter(both, { ...row, version: 10 }), /does not carry the vault's seal/)
  const record = sealActivity(keyring, unsealed)
  checkActivity(second, { ...record, seal: resealedActivity(both, record) })
  assert.throws(() => resealedActivity(both, { ...record, revision: 2 }), /does not carry the vault's seal/)
  const object = objectOf('secret')
  const wiped = t.mock.method(Secret.prototype, 'wipe')
  const resealed = { ...object, seal: resealedObject(both, object, randomBytes) }
  assert.equal(wiped.mock.callCount(), 1)
  assert.equal(Buffer.from(openObject(second, resealed).reveal()).toString(), 'secret')
  assert.equal(isOwnCount(keyring, ['a', 1], sealCount(keyring, ['a', 1])), true)
  assert.equal(isOwnCount(keyring, ['a', 2], sealCount(keyring, ['a', 1])), false)
})

test('where a proof of the root key comes from is told, of each version', () => {
  const challenge = 'c'
  const of = (by: typeof keyring) => ({ challenge, proof: rootProof(by, challenge) })
  const behind = openKeyring(
    [1, 2].map((version) => ({ version, secret: new Secret(new Uint8Array(32).fill(4 + version)) })),
    { seals: 1 },
  )
  assert.equal(proofOrigin(keyring, of(keyring)), 'own')
  assert.equal(proofOrigin(both, of(keyring)), 'own')
  assert.equal(proofOrigin(behind, of(both)), 'newer')
  assert.equal(proofOrigin(keyring, of(both)), 'unheld')
  assert.equal(proofOrigin(keyring, { challenge, proof: 'none' }), 'foreign')
  assert.equal(proofOrigin(keyring, { ...of(keyring), challenge: 'another' }), 'foreign')
})
