import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { decryptSecretBundle, encryptSecretToBundle, formatHpkeBuf, hpkeEncrypt } from '@turnkey/crypto'
import { aService, type JsonAnswer, type Member, type TestService } from '../../../../test/support/service.ts'
import { revealed } from '../../base/testing/revealed.ts'

const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'
const INIT = 'ACTIVITY_TYPE_INIT_IMPORT_SECRETS'
const IMPORT = 'ACTIVITY_TYPE_IMPORT_SECRETS'
const EXPORT = 'ACTIVITY_TYPE_EXPORT_SECRETS'
const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1'
const HOUR_MS = 60 * 60 * 1000

const service: TestService = await aService()
const { root, organizationId } = service
after(() => service.close())

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

async function submitted(by: Member, type: string, parameters: object) {
  service.world.advance(1)
  return await service.submit(by, type, parameters)
}

async function targets(numSecrets: number, by: Member = root): Promise<readonly string[]> {
  return (await service.done(by, INIT, { encryptionSuite, numSecrets })).enclaveTargetMessages
}

async function encrypted(plaintext: string, ingressTargetBundle: string, by: Member = root) {
  const bundle = await encryptSecretToBundle({
    plaintext,
    ingressTargetBundle,
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(ingressTargetBundle).enclaveQuorumPublic,
  })
  return { ...bundle, encryptionSuite }
}

/** Bytes that no published function would encrypt. */
function encryptedBytes(bytes: Uint8Array, target: string) {
  const { targetPublic, userId } = JSON.parse(Buffer.from(JSON.parse(target).data, 'hex').toString())
  assert.equal(userId, '', 'published clients refuse the target of a secret that names a user')
  const plainTextBuf = bytes
  const sealed = hpkeEncrypt({ plainTextBuf, targetKeyBuf: new Uint8Array(Buffer.from(targetPublic, 'hex')) })
  return { secretPayload: formatHpkeBuf(sealed), targetPublicKey: targetPublic, encryptionSuite }
}

async function imported(plaintext: string, params: object = {}, by: Member = root): Promise<string> {
  const [target = ''] = await targets(1, by)
  const secret = { ...(await encrypted(plaintext, target, by)), ...params }
  return (await service.done(by, IMPORT, { secrets: [secret] })).secretIds[0]
}

const receiver = p256.keygen(new Uint8Array(48).fill(7))
const targetPublicKey = hex(p256.getPublicKey(receiver.secretKey, false))

function exportOf(...secretIds: readonly string[]) {
  return { secrets: secretIds.map((secretId) => ({ secretId, targetPublicKey, encryptionSuite })) }
}

async function opened(secretPayload: string, by: Member = root): Promise<string> {
  return await decryptSecretBundle({
    secretPayload,
    embeddedPrivateKey: hex(receiver.secretKey),
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(secretPayload).enclaveQuorumPublic,
  })
}

async function listed(by: Member = root, paginationOptions: object = {}): Promise<JsonAnswer[]> {
  return (await service.query(by, 'list_secrets', { paginationOptions })).json.secrets
}

async function policy(effect: 'ALLOW' | 'DENY', condition: string, whose?: Member): Promise<void> {
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: `${effect} ${condition} ${whose?.userId ?? ''}`,
    effect: `EFFECT_${effect}`,
    condition,
    ...(whose === undefined ? {} : { consensus: `approvers.any(user, user.id == '${whose.userId}')` }),
    notes: '',
  })
}

test('secrets come in through the published client, are listed without themselves, and go out the same, in order', async () => {
  const plaintexts = ['hunter2', 'Ein Geheimnis: ä€😀\n', 'x'.repeat(16_384)]
  const messages = await targets(3)
  const staticProperties = [
    { key: 'environment', value: 'test' },
    { key: 'note', value: '' },
  ]
  const secrets = await Promise.all(
    plaintexts.map(async (plaintext, index) => ({
      ...(await encrypted(plaintext, messages[index] ?? '')),
      name: `Secret ${index}`,
      // A value may be left out.
      staticProperties: [{ key: 'environment', value: 'test' }, { key: 'note' }],
    })),
  )
  const { secretIds } = await service.done(root, IMPORT, { secrets })
  const shown = (await listed()).slice(-3)
  assert.deepEqual(
    shown.toSorted((a, b) => a.name.localeCompare(b.name)),
    secretIds.map((secretId: string, index: number) => ({
      secretId,
      name: `Secret ${index}`,
      staticProperties,
      createdAtUnixMs: String(service.world.now()),
    })),
  )
  const reversed = secretIds.toReversed()
  const { secretPayloads } = await service.done(root, EXPORT, exportOf(...reversed, reversed[0]))
  assert.deepEqual(await Promise.all(secretPayloads.map((payload: string) => opened(payload))), [
    ...plaintexts.toReversed(),
    plaintexts[2],
  ])
})

test('a secret needs neither a name nor properties, and two may have one name', async () => {
  const bare = await imported('bare')
  const item = (await listed()).at(-1)
  assert.deepEqual(item, {
    secretId: bare,
    staticProperties: [],
    createdAtUnixMs: String(service.world.now()),
  })
  assert.notEqual(await imported('a', { name: 'Same' }), await imported('b', { name: 'Same' }))
})

test('each target is good for one secret, in one request and over several', async () => {
  const [target = ''] = await targets(1)
  const secret = await encrypted('once', target)
  const before = (await listed(root, { limit: '100' })).length
  const twice = await submitted(root, IMPORT, { secrets: [secret, secret] })
  assert.equal(twice.status, 400)
  assert.equal(twice.json.code, 9)
  assert.match(twice.json.message, /^no import was begun with target public key "04/)
  const compressed = hex(p256.Point.fromHex(secret.targetPublicKey).toBytes(true)).toUpperCase()
  const bothForms = await submitted(root, IMPORT, {
    secrets: [secret, { ...secret, targetPublicKey: compressed }],
  })
  assert.equal(bothForms.json.code, 9)
  await service.done(root, IMPORT, { secrets: [{ ...secret, targetPublicKey: compressed }] })
  const again = await submitted(root, IMPORT, { secrets: [secret] })
  assert.equal(again.json.code, 9)
  assert.equal((await listed(root, { limit: '100' })).length, before + 1)
})

test('one secret that does not come in keeps all of them out, and their targets stay', async (t) => {
  const secrets = revealed(t)
  const [first = '', second = ''] = await targets(2)
  const good = await encrypted('good', first)
  const before = (await listed(root, { limit: '100' })).length
  const flipped = (text: string) =>
    text.replace(/.("\s*})$/, (end) => (end.startsWith('0') ? '1' : '0') + end.slice(1))
  const fine = await encrypted('fine', second)
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...fine, secretPayload: '{}' }, /^failed to deserialize encrypted bundle/],
    [{ ...fine, secretPayload: 'words' }, /^failed to deserialize encrypted bundle/],
    [{ ...fine, secretPayload: flipped(fine.secretPayload) }, /^encrypted bundle does not open/],
    [{ ...fine, secretPayload: good.secretPayload }, /^encrypted bundle does not open/],
    [{ ...fine, targetPublicKey }, /^no import was begun with target public key/],
    [{ ...fine, targetPublicKey: 'zz' }, /^no import was begun with target public key "zz"/],
    [
      encryptedBytes(new Uint8Array(0), second),
      /^invalid secret: the payload of secrets\[1\] holds nothing$/,
    ],
    [encryptedBytes(new Uint8Array(16_385), second), /holds 16385 bytes, and a secret has at most 16384$/],
    [encryptedBytes(Uint8Array.of(0xc3, 0x28), second), /holds bytes that are not UTF-8$/],
    [{ ...fine, encryptionSuite: 'ROT13' }, /field `secrets\[1\].encryptionSuite` must be one of/],
    [{ ...fine, staticProperties: [{ value: 'x' }] }, /must have a key for each property/],
    [{ ...fine, staticProperties: [{ key: 'a' }, { key: 'a', value: '1' }] }, /must have each key once/],
  ]
  for (const [bad, message] of cases) {
    const { status, json } = await submitted(root, IMPORT, { secrets: [good, bad] })
    assert.equal(status, 400)
    assert.match(json.message, message)
  }
  assert.ok(![...secrets].some((bytes) => Buffer.from(bytes).toString() === 'good'), 'what came in is wiped')
  assert.equal((await listed(root, { limit: '100' })).length, before)
  await service.done(root, IMPORT, { secrets: [good, fine] })
})

test('a target is its own user’s, and its own organization’s', async () => {
  const other = await service.user('Secret importer')
  await policy('ALLOW', "activity.resource == 'SECRET' && activity.action == 'IMPORT'", other)
  const [target = ''] = await targets(1)
  const secret = await encrypted('mine', target)
  const elsewhere = await service.newOrganization()
  const stolen = await submitted(other, IMPORT, { secrets: [secret] })
  const abroad = await submitted(elsewhere, IMPORT, { secrets: [secret] })
  const invented = await submitted(other, IMPORT, { secrets: [{ ...secret, targetPublicKey }] })
  assert.equal(stolen.json.code, 9)
  assert.equal(abroad.text, stolen.text)
  const unquoted = ({ json }: { json: JsonAnswer }) => json.message.replace(/"04[0-9a-f]+…/, '')
  assert.equal(unquoted(invented), unquoted(stolen))
  await service.done(root, IMPORT, { secrets: [secret] })
  await imported('theirs', {}, other)
  assert.equal((await submitted(other, EXPORT, exportOf(NOWHERE))).status, 403)
})

test('a secret of another organization is found no more than none', async () => {
  const elsewhere = await service.newOrganization()
  const theirs = await imported('theirs', {}, elsewhere)
  const ours = await imported('ours')
  const stolen = await submitted(root, EXPORT, exportOf(ours, theirs))
  const invented = await submitted(root, EXPORT, exportOf(ours, NOWHERE))
  assert.equal(stolen.status, 404)
  assert.equal(stolen.json.message, `unable to find secret ${theirs} in organization ${organizationId}`)
  assert.equal(stolen.text.replace(theirs, NOWHERE), invented.text)
  assert.deepEqual(
    (await listed(elsewhere)).map(({ secretId }) => secretId),
    [theirs],
  )
})

test('a target that is not used within two days is good no more', async () => {
  const [late = '', inTime = ''] = await targets(2)
  service.world.advance(48 * HOUR_MS - 2)
  await service.done(root, IMPORT, { secrets: [await encrypted('in time', inTime)] })
  const refused = await submitted(root, IMPORT, { secrets: [await encrypted('late', late)] })
  assert.equal(refused.json.code, 9)
})

test('unfinished imports of a user are bounded: the oldest gives way, and no other user’s', async () => {
  const other = await service.user('Second importer')
  await policy('ALLOW', "activity.resource == 'SECRET' && activity.action == 'IMPORT'", other)
  const [theirs = ''] = await targets(1, other)
  const [first = ''] = await targets(20)
  const [second = ''] = await targets(20)
  for (let batch = 0; batch < 4; batch++) await targets(20)
  const pushedOut = await submitted(root, IMPORT, { secrets: [await encrypted('first', first)] })
  assert.equal(pushedOut.json.code, 9)
  await service.done(root, IMPORT, { secrets: [await encrypted('second', second)] })
  await service.done(other, IMPORT, { secrets: [await encrypted('theirs', theirs, other)] })
  for (const numSecrets of [0, -1, 21, 1.5]) {
    const refused = await submitted(root, INIT, { encryptionSuite, numSecrets })
    assert.equal(refused.status, 400)
    assert.match(refused.json.message, /field `numSecrets` must be/)
  }
})

test('policies decide by static properties who exports: an ALLOW holds for each secret, what denies one denies all', async () => {
  const having = (env: string, team: string) => ({
    staticProperties: [
      { key: 'env', value: env },
      { key: 'team', value: team },
    ],
  })
  const t1 = await imported('t1', having('test', 'a'))
  const reordered = having('test', 'b').staticProperties.toReversed()
  const t2 = await imported('t2', { staticProperties: reordered })
  const prod = await imported('p', having('prod', 'a'))
  const plain = await imported('plain')
  const statusOf = async (by: Member, ...ids: readonly string[]) =>
    (await submitted(by, EXPORT, exportOf(...ids))).status

  const reader = await service.user('Reader')
  await policy('ALLOW', "activity.resource == 'SECRET' && secret.static_properties['env'] == 'test'", reader)
  const { secretPayloads } = await service.done(reader, EXPORT, exportOf(t1, t2))
  assert.equal(await opened(secretPayloads[1]), 't2')
  for (const ids of [[prod], [plain], [t1, prod], [prod, t1], [t1, plain], [plain, t1], [NOWHERE]])
    assert.equal(await statusOf(reader, ...ids), 403, ids.join())

  const others = await service.user('Reader of all but production')
  await policy('ALLOW', "activity.resource == 'SECRET' && secret.static_properties['env'] != 'prod'", others)
  assert.equal(await statusOf(others, t1, t2), 200)
  for (const ids of [[prod], [t1, prod], [prod, t1], [plain], [t1, plain]])
    assert.equal(await statusOf(others, ...ids), 403, ids.join())

  const broad = await service.user('Broad reader')
  await policy('ALLOW', "activity.resource == 'SECRET'", broad)
  assert.equal(await statusOf(broad, t1, prod, plain), 200)
  await policy('DENY', "secret.static_properties['env'] == 'prod'", broad)
  assert.equal(await statusOf(broad, t1, t2), 200)
  // Neither order nor number gets a denied one out; of a secret without the property the DENY cannot tell, and denies.
  for (const ids of [[prod], [t1, prod], [prod, t1], [prod, plain], [plain], [t1, t2, plain]])
    assert.equal(await statusOf(broad, ...ids), 403, ids.join())

  assert.equal(await statusOf(root, t1, prod, plain), 200)
})

test('a secret leaves only for a P-256 point, in either form', async () => {
  const secretId = await imported('for its point')
  const point = p256.Point.fromHex(targetPublicKey)
  for (const form of [hex(point.toBytes(true)), targetPublicKey.toUpperCase()]) {
    const secrets = [{ secretId, targetPublicKey: form, encryptionSuite }]
    const { secretPayloads } = await service.done(root, EXPORT, { secrets })
    assert.equal(await opened(secretPayloads[0]), 'for its point')
  }
  for (const wrong of [`${targetPublicKey.slice(0, -2)}00`, `06${targetPublicKey.slice(2)}`, 'zz']) {
    const secrets = [{ secretId, targetPublicKey: wrong, encryptionSuite }]
    const refused = await submitted(root, EXPORT, { secrets })
    assert.equal(refused.status, 400)
    assert.match(refused.json.message, /^invalid target public key/)
  }
})

test('the list comes in pages, oldest first', async () => {
  const elsewhere = await service.newOrganization()
  const ids: string[] = []
  for (let number = 0; number < 12; number++) ids.push(await imported(`${number}`, {}, elsewhere))
  const page = async (options: object) => (await listed(elsewhere, options)).map(({ secretId }) => secretId)
  assert.deepEqual(await page({}), ids.slice(0, 10))
  assert.deepEqual(await page({ after: ids[9] }), ids.slice(10))
  assert.deepEqual(await page({ limit: '3', after: ids[4] }), ids.slice(5, 8))
  assert.deepEqual(await page({ limit: '2', before: ids[4] }), ids.slice(2, 4))
  assert.deepEqual(await page({ before: ids[4], after: ids[1] }), ids.slice(2, 4))
})

const DELETE = 'ACTIVITY_TYPE_DELETE_SECRETS'

test('a deleted secret is neither listed nor exported, and those beside it stay', async () => {
  const elsewhere = await service.newOrganization()
  const ids: string[] = []
  for (const name of ['first', 'second', 'third']) ids.push(await imported(name, {}, elsewhere))
  const [first = '', second = '', third = ''] = ids
  assert.deepEqual(await service.done(elsewhere, DELETE, { secretIds: [third, first] }), {
    secretIds: [third, first],
  })
  assert.deepEqual(
    (await listed(elsewhere)).map(({ secretId }) => secretId),
    [second],
  )
  assert.equal((await submitted(elsewhere, EXPORT, exportOf(first))).json.code, 5)
})

test('secrets are deleted all or none: one that is not there, or of another organization, stops it', async () => {
  const elsewhere = await service.newOrganization()
  const theirs = await imported('theirs', {}, elsewhere)
  const ours = await imported('ours')
  for (const other of [theirs, NOWHERE]) {
    const refused = await submitted(root, DELETE, { secretIds: [ours, other] })
    assert.equal(refused.json.code, 5)
  }
  for (const secretIds of [[], [ours, ours], Array.from({ length: 33 }, () => NOWHERE)])
    assert.equal((await submitted(root, DELETE, { secretIds })).status, 400)
  assert.equal((await submitted(root, EXPORT, exportOf(ours))).status, 200)
  assert.equal((await submitted(elsewhere, EXPORT, exportOf(theirs))).status, 200)
})

test('policies decide by static properties who deletes, as they do of an export', async () => {
  const of = (value: string) => ({ staticProperties: [{ key: 'env', value }] })
  const [t1, t2, prod] = [
    await imported('1', of('test')),
    await imported('2', of('test')),
    await imported('3', of('prod')),
  ]
  const cleaner = await service.user('Cleaner')
  await policy('ALLOW', "activity.action == 'DELETE' && secret.static_properties['env'] == 'test'", cleaner)
  for (const secretIds of [[prod], [t1, prod], [NOWHERE]])
    assert.equal((await submitted(cleaner, DELETE, { secretIds })).status, 403)
  assert.equal((await submitted(cleaner, DELETE, { secretIds: [t1, t2] })).status, 200)
  assert.equal((await submitted(cleaner, EXPORT, exportOf(prod))).status, 403)
})

test('what an export is for stands in its record, and changes nothing of what is exported', async () => {
  const secretId = await imported('with a reason')
  const requestContext = [{ key: 'ticket', value: 'OPS-7' }]
  const secrets = exportOf(secretId).secrets.map((item) => ({ ...item, requestContext }))
  const { json } = await submitted(root, EXPORT, { secrets })
  assert.deepEqual(json.activity.intent.exportSecretsIntent.secrets[0].requestContext, requestContext)
  assert.equal(await opened(json.activity.result.exportSecretsResult.secretPayloads[0]), 'with a reason')
  const without = exportOf(secretId).secrets.map((item) => ({ ...item, requestContext: [] }))
  assert.equal((await submitted(root, EXPORT, { secrets: without })).status, 200)
})
