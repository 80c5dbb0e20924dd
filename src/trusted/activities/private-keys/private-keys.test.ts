import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decryptExportBundle, encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const NOWHERE = '0198c5a0-7d3c-7000-8000-00000000dead'
const NEW_KEY = { curve: 'CURVE_SECP256K1', privateKeyTags: [], addressFormats: ['ADDRESS_FORMAT_ETHEREUM'] }

const service: TestService = await aService()
const { root, organizationId } = service
after(() => service.close())

let made = 0

async function submitted(by: Member, type: string, parameters: object) {
  service.world.advance(1)
  return await service.submit(by, type, parameters)
}

async function aKey(params: object = {}): Promise<string> {
  const privateKeys = [{ ...NEW_KEY, privateKeyName: `Key ${made++}`, ...params }]
  const result = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
  return result.privateKeys[0].privateKeyId
}

async function shown(privateKeyId: string) {
  return (await service.query(root, 'get_private_key', { privateKeyId })).json.privateKey
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

async function beginImport(by: Member = root): Promise<string> {
  const { importBundle } = await service.done(by, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', {
    userId: by.userId,
  })
  return importBundle
}

/** What the published client makes of a private key, for this import bundle. */
async function encrypted(privateKey: string, importBundle: string, by: Member = root): Promise<string> {
  return await encryptPrivateKeyToBundle({
    privateKey,
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId: by.userId,
    organizationId: by.organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
}

function importOf(encryptedBundle: string, params: object = {}) {
  return {
    userId: root.userId,
    privateKeyName: `Imported ${made++}`,
    encryptedBundle,
    curve: 'CURVE_SECP256K1',
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
    ...params,
  }
}

const IMPORT = 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY'

async function exported(privateKeyId: string): Promise<string> {
  const receiver = p256.keygen()
  const targetPublicKey = hex(p256.getPublicKey(receiver.secretKey, false))
  const { exportBundle } = await service.done(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
    privateKeyId,
    targetPublicKey,
  })
  return await decryptExportBundle({
    exportBundle,
    embeddedKey: hex(receiver.secretKey),
    organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(exportBundle).enclaveQuorumPublic,
    returnMnemonic: false,
    keyFormat: 'HEXADECIMAL',
  })
}

test('a key is created in both versions of the activity, with its addresses, and is listed', async () => {
  const privateKeys = [
    { ...NEW_KEY, privateKeyName: 'One' },
    { ...NEW_KEY, privateKeyName: 'Two', curve: 'CURVE_ED25519', addressFormats: ['ADDRESS_FORMAT_SOLANA'] },
  ]
  const v1 = await service.done(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS', { privateKeys })
  const [one, two] = await Promise.all(v1.privateKeyIds.map(shown))
  assert.equal(one.privateKeyName, 'One')
  assert.match(one.addresses[0].address, /^0x[0-9a-fA-F]{40}$/)
  assert.equal(one.exported, false)
  assert.equal(one.imported, false)
  assert.equal(two.publicKey.length, 64)
  const { json } = await service.query(root, 'list_private_keys')
  const byName = new Map(json.privateKeys.map((key: { privateKeyName: string }) => [key.privateKeyName, key]))
  assert.deepEqual([byName.get('One'), byName.get('Two')], [one, two])
})

test('a name is for one key only', async () => {
  await aKey({ privateKeyName: 'Taken' })
  const once = { ...NEW_KEY, privateKeyName: 'Fresh' }
  for (const privateKeys of [[{ ...NEW_KEY, privateKeyName: 'Taken' }], [once, once]]) {
    const { status, json } = await submitted(root, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys })
    assert.equal(status, 409)
    assert.equal(json.code, 6)
  }
})

const secrets = {
  CURVE_SECP256K1: secp256k1.utils.randomSecretKey,
  CURVE_P256: p256.utils.randomSecretKey,
  CURVE_ED25519: ed25519.utils.randomSecretKey,
} as const

for (const [curve, randomSecret] of Object.entries(secrets)) {
  test(`a private key on ${curve} comes in through a published client and goes out the same`, async () => {
    const secret = hex(randomSecret())
    const bundle = await encrypted(secret, await beginImport())
    const params = { curve, addressFormats: ['ADDRESS_FORMAT_COMPRESSED'] }
    const { privateKeyId, addresses } = await service.done(root, IMPORT, importOf(bundle, params))
    const key = await shown(privateKeyId)
    assert.equal(key.imported, true)
    assert.equal(key.exported, false)
    assert.deepEqual(addresses, [{ format: 'ADDRESS_FORMAT_COMPRESSED', address: key.publicKey }])

    assert.equal(await exported(privateKeyId), secret)

    assert.equal((await shown(privateKeyId)).exported, true)
    assert.equal(await exported(privateKeyId), secret)
  })
}

test('the same export request is answered with the same bundle', async () => {
  const targetPublicKey = hex(p256.getPublicKey(p256.utils.randomSecretKey(), false))
  const parameters = { privateKeyId: await aKey(), targetPublicKey }
  const first = await submitted(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters)
  const again = await service.submit(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters)
  assert.equal(first.status, 200)
  assert.deepEqual(again.json, first.json)
})

test('a target is good for one import, and only the newest one of a user is', async () => {
  const older = await beginImport()
  const newer = await beginImport()
  const secret = hex(secp256k1.utils.randomSecretKey())
  const stale = await submitted(root, IMPORT, importOf(await encrypted(secret, older)))
  assert.equal(stale.status, 400)
  assert.match(stale.json.message, /^encrypted bundle does not open/)
  const bundle = await encrypted(secret, newer)
  await service.done(root, IMPORT, importOf(bundle))
  const again = await submitted(root, IMPORT, importOf(bundle))
  assert.equal(again.status, 400)
  assert.equal(again.json.code, 9)
})

test('a key that is here already is not imported again, whether it was imported or made here', async () => {
  const secret = hex(secp256k1.utils.randomSecretKey())
  const { privateKeyId } = await service.done(
    root,
    IMPORT,
    importOf(await encrypted(secret, await beginImport())),
  )
  const createdId = await aKey()
  for (const [id, material] of [
    [privateKeyId, secret],
    [createdId, await exported(createdId)],
  ] as const) {
    const bundle = await encrypted(material, await beginImport())
    const { status, json } = await submitted(root, IMPORT, importOf(bundle))
    assert.equal(status, 409)
    assert.deepEqual(json, {
      code: 6,
      message: `private key with ID ${id} has already been imported in this organization`,
      details: [],
    })
  }
  // The refused import has not used up its target, and after a deletion the key may come again.
  await service.done(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
    privateKeyIds: [privateKeyId],
    deleteWithoutExport: true,
  })
  await service.done(root, IMPORT, importOf(await encrypted(secret, await beginImport())))
})

test('a key on one of the two curves of ECDSA is not imported on the other: two signatures would reveal it', async () => {
  const importing = async (material: string, curve: keyof typeof secrets) => {
    const bundle = await encrypted(material, await beginImport())
    const params = { curve, addressFormats: ['ADDRESS_FORMAT_COMPRESSED'] }
    return await submitted(root, IMPORT, importOf(bundle, params))
  }
  const refusedFor = (id: string) => ({
    code: 6,
    message: `private key with ID ${id} has already been imported in this organization`,
    details: [],
  })
  for (const [first, second] of [
    ['CURVE_SECP256K1', 'CURVE_P256'],
    ['CURVE_P256', 'CURVE_SECP256K1'],
  ] as const) {
    const secret = hex(secrets[first]())
    const { privateKeyId } = (await importing(secret, first)).json.activity.result.importPrivateKeyResult
    assert.deepEqual((await importing(secret, second)).json, refusedFor(privateKeyId))
    // Ed25519 hashes the secret before it signs.
    assert.equal((await importing(secret, 'CURVE_ED25519')).status, 200)
    await service.done(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
      privateKeyIds: [privateKeyId],
      deleteWithoutExport: true,
    })
    assert.equal((await importing(secret, second)).status, 200)
  }
  const madeHere = await aKey()
  assert.deepEqual((await importing(await exported(madeHere), 'CURVE_P256')).json, refusedFor(madeHere))
})

test('the same key imported by two users at once comes in once', async () => {
  const other = await service.user('Importer')
  await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'Importers',
    effect: 'EFFECT_ALLOW',
    condition: "activity.action == 'IMPORT'",
    notes: '',
  })
  const secret = hex(secp256k1.utils.randomSecretKey())
  const mine = importOf(await encrypted(secret, await beginImport()))
  const theirs = importOf(await encrypted(secret, await beginImport(other), other), { userId: other.userId })
  service.world.advance(1)
  const answers = await Promise.all([
    service.submit(root, IMPORT, mine),
    service.submit(other, IMPORT, theirs),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('a bundle that is not one, does not open, or holds no key of the curve is refused, and the target stays', async () => {
  const importBundle = await beginImport()
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  const good = await encrypted(hex(secp256k1.utils.randomSecretKey()), importBundle)
  const flipped = good.replace(/.("\s*})$/, (end) => (end.startsWith('0') ? '1' : '0') + end.slice(1))
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{}', /^failed to deserialize encrypted bundle/],
    ['nothing', /^failed to deserialize encrypted bundle/],
    [flipped, /^encrypted bundle does not open/],
    [await encrypted(order, importBundle), /32 bytes that are not a private key on CURVE_SECP256K1/],
    [
      await encrypted('00'.repeat(32), importBundle),
      /32 bytes that are not a private key on CURVE_SECP256K1/,
    ],
    [await encrypted('01'.repeat(31), importBundle), /holds 31 bytes, and a private key/],
    [await encrypted('01'.repeat(33), importBundle), /holds 33 bytes, and a private key/],
  ]
  for (const [bundle, message] of cases) {
    const { status, json } = await submitted(root, IMPORT, importOf(bundle))
    assert.equal(status, 400)
    assert.equal(json.code, 3)
    assert.match(json.message, message)
  }
  await service.done(root, IMPORT, importOf(good))
})

test('an import names its own user: the root user may not name another, and a stranger is not found', async () => {
  const other = await service.user('Someone else')
  const importBundle = await beginImport()
  const bundle = await encrypted(hex(secp256k1.utils.randomSecretKey()), importBundle)
  const attempts = (userId: string): readonly (readonly [string, object])[] => [
    ['ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId }],
    [IMPORT, importOf(bundle, { userId })],
  ]
  for (const [type, parameters] of attempts(other.userId)) {
    const { status, json } = await submitted(root, type, parameters)
    assert.equal(status, 403)
    assert.equal(json.code, 7)
  }
  for (const [type, parameters] of attempts(NOWHERE)) {
    const { status, json } = await submitted(root, type, parameters)
    assert.equal(status, 404)
    assert.equal(json.message, `unable to find user ${NOWHERE} in organization ${organizationId}`)
  }
  const missing = await submitted(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', {})
  assert.equal(missing.json.message, 'invalid request body: missing field `userId`')
})

/** What was encrypted to the base point, whose secret scalar is one. */
async function openedAsScalarOne(exportBundle: string): Promise<string> {
  return await decryptExportBundle({
    exportBundle,
    embeddedKey: '1'.padStart(64, '0'),
    organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(exportBundle).enclaveQuorumPublic,
    returnMnemonic: false,
    keyFormat: 'HEXADECIMAL',
  })
}

test('a policy sees one spelling of a target key, however it was sent', async () => {
  const exporter = await service.user('Exporter')
  const denied = hex(p256.getPublicKey(p256.utils.randomSecretKey(), false))
  const policies = [
    { effect: 'EFFECT_ALLOW', condition: "activity.action == 'EXPORT'" },
    { effect: 'EFFECT_DENY', condition: `activity.params.target_public_key == '${denied}'` },
  ]
  for (const policy of policies)
    await service.done(root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
      ...policy,
      policyName: `Exports: ${policy.effect}`,
      notes: '',
    })
  const privateKeyId = await aKey()
  const compressed = hex(p256.Point.fromHex(denied).toBytes(true))
  for (const targetPublicKey of [denied, denied.toUpperCase(), compressed, compressed.toUpperCase()]) {
    const { status } = await submitted(exporter, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
      privateKeyId,
      targetPublicKey,
    })
    assert.equal(status, 403)
  }
})

test('a key leaves only for a P-256 point, compressed or not', async () => {
  const privateKeyId = await aKey()
  const point = p256.Point.BASE
  for (const form of [hex(point.toBytes(true)), hex(point.toBytes(false)).toUpperCase()]) {
    const privateKey = { privateKeyId: await aKey(), targetPublicKey: form }
    const { exportBundle } = await service.done(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', privateKey)
    assert.equal((await openedAsScalarOne(exportBundle)).length, 64)
  }
  for (const targetPublicKey of [
    `06${hex(point.toBytes(false)).slice(2)}`,
    `${hex(point.toBytes(false)).slice(0, -2)}00`,
    hex(secp256k1.Point.BASE.toBytes(false)),
    'zz',
  ]) {
    const refused = await submitted(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
      privateKeyId,
      targetPublicKey,
    })
    assert.equal(refused.status, 400)
    assert.match(refused.json.message, /^invalid target public key/)
  }
  const unknown = await submitted(root, 'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
    privateKeyId: NOWHERE,
    targetPublicKey: hex(point.toBytes(false)),
  })
  assert.equal(unknown.status, 404)
  assert.equal((await shown(privateKeyId)).exported, false)
})

test('a key is deleted once it was exported, or when it is said that it need not be', async () => {
  const DELETE = 'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS'
  const [safe, unsafe] = [await aKey(), await aKey()]
  await exported(safe)
  const refused = await submitted(root, DELETE, { privateKeyIds: [safe, unsafe] })
  assert.equal(refused.status, 400)
  assert.match(refused.json.message, new RegExp(`^private key has not been exported: ${unsafe}`))
  assert.ok(await shown(safe))
  await service.done(root, DELETE, { privateKeyIds: [safe] })
  const forced = { privateKeyIds: [unsafe, unsafe], deleteWithoutExport: true }
  assert.deepEqual(await service.done(root, DELETE, forced), { privateKeyIds: [unsafe, unsafe] })
  for (const privateKeyId of [safe, unsafe]) {
    const gone = await service.query(root, 'get_private_key', { privateKeyId })
    assert.equal(gone.status, 404)
    assert.equal(
      gone.json.message,
      `unable to find private key ${privateKeyId} in organization ${organizationId}`,
    )
    const payload = {
      payload: 'x',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }
    const signing = await submitted(root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
      signWith: privateKeyId,
      ...payload,
    })
    assert.equal(signing.status, 404)
  }
})

test('a tag goes on keys, is renamed, moves, and leaves every key when it is deleted', async () => {
  const [a, b, c] = [await aKey(), await aKey(), await aKey()]
  const tagsOf = async (id: string) => (await shown(id)).privateKeyTags
  const { privateKeyTagId, privateKeyIds } = await service.done(
    root,
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
    { privateKeyTagName: 'hot', privateKeyIds: [a, b] },
  )
  assert.deepEqual(privateKeyIds, [a, b])
  assert.deepEqual(
    [await tagsOf(a), await tagsOf(b), await tagsOf(c)],
    [[privateKeyTagId], [privateKeyTagId], []],
  )

  await service.done(root, 'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG', {
    privateKeyTagId,
    newPrivateKeyTagName: 'warm',
    addPrivateKeyIds: [b, c],
    removePrivateKeyIds: [a],
  })
  assert.deepEqual(
    [await tagsOf(a), await tagsOf(b), await tagsOf(c)],
    [[], [privateKeyTagId], [privateKeyTagId]],
  )
  const { json } = await service.query(root, 'list_private_key_tags')
  const [tag] = json.privateKeyTags
  assert.deepEqual([tag.tagId, tag.tagName, tag.tagType], [privateKeyTagId, 'warm', 'TAG_TYPE_PRIVATE_KEY'])

  const deleted = await service.done(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', {
    privateKeyTagIds: [privateKeyTagId],
  })
  assert.deepEqual(deleted, { privateKeyTagIds: [privateKeyTagId], privateKeyIds: [b, c] })
  assert.deepEqual([await tagsOf(b), await tagsOf(c)], [[], []])
  const gone = await submitted(root, 'ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', {
    privateKeyTagIds: [privateKeyTagId],
  })
  assert.equal(gone.status, 404)
})

test('a private key tag has a name of its own, and a user tag is none', async () => {
  const CREATE = 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG'
  await service.done(root, CREATE, { privateKeyTagName: 'once', privateKeyIds: [] })
  const twice = await submitted(root, CREATE, { privateKeyTagName: 'once', privateKeyIds: [] })
  assert.match(twice.json.message, /^tag label must be unique/)
  const { userTagId } = await service.done(root, 'ACTIVITY_TYPE_CREATE_USER_TAG', {
    userTagName: 'once',
    userIds: [],
  })
  const lists = { addPrivateKeyIds: [], removePrivateKeyIds: [] }
  for (const [type, parameters] of [
    ['ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG', { privateKeyTagId: userTagId, ...lists }],
    ['ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', { privateKeyTagIds: [userTagId] }],
    ['ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', { privateKeyTagName: 'new', privateKeyIds: [NOWHERE] }],
  ] as const) {
    const { status, json } = await submitted(root, type, parameters)
    assert.equal(status, 404)
    assert.equal(json.code, 5)
  }
  const { json } = await service.query(root, 'list_private_key_tags')
  assert.ok(json.privateKeyTags.every((tag: { tagName: string }) => tag.tagName !== 'new'))
})
