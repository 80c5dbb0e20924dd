import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decryptExportBundle, encryptPrivateKeyToBundle, generateP256KeyPair } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

export function importExportFlows(setting: Setting): void {
  test('a key comes in and goes out as the published library encrypts and decrypts it, under the key that is published', async () => {
    const { root, service } = setting
    const { organizationId, userId } = root
    const keys = await (await fetch(`${service.url}/public/v1/discovery/keys`)).json()
    const dangerouslyOverrideSignerPublicKey: string = keys.signer
    const secret = randomBytes(32).toString('hex')

    const begun = await root.client.initImportPrivateKey(
      root.activity('ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId }),
    )
    const importBundle = present(begun.activity.result.initImportPrivateKeyResult?.importBundle, 'the bundle')
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey: secret,
      keyFormat: 'HEXADECIMAL',
      importBundle,
      userId,
      organizationId,
      dangerouslyOverrideSignerPublicKey,
    })
    const imported = await root.client.importPrivateKey(
      root.activity('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
        userId,
        privateKeyName: 'From elsewhere',
        encryptedBundle,
        curve: 'CURVE_SECP256K1',
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      }),
    )
    const privateKeyId = present(imported.activity.result.importPrivateKeyResult?.privateKeyId, 'the key')
    const before = (await root.client.getPrivateKey({ organizationId, privateKeyId })).privateKey
    assert.deepEqual([before.imported, before.exported], [true, false])
    const publicKey = Buffer.from(secp256k1.getPublicKey(Buffer.from(secret, 'hex'))).toString('hex')
    assert.equal(before.publicKey, publicKey)
    // A target is for one import.
    await assert.rejects(
      root.client.importPrivateKey(
        root.activity('ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
          userId,
          privateKeyName: 'Again',
          encryptedBundle,
          curve: 'CURVE_SECP256K1',
          addressFormats: [],
        }),
      ),
      { name: 'TurnkeyRequestError', message: /^Turnkey error \d+: \S+/ },
    )

    const remove = () =>
      root.client.deletePrivateKeys(
        root.activity('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', { privateKeyIds: [privateKeyId] }),
      )
    await assert.rejects(remove(), { name: 'TurnkeyRequestError' })

    const target = generateP256KeyPair()
    const exported = await root.client.exportPrivateKey(
      root.activity('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
        privateKeyId,
        targetPublicKey: target.publicKeyUncompressed,
      }),
    )
    const decrypted = await decryptExportBundle({
      exportBundle: present(exported.activity.result.exportPrivateKeyResult?.exportBundle, 'the bundle'),
      organizationId,
      embeddedKey: target.privateKey,
      dangerouslyOverrideSignerPublicKey,
      returnMnemonic: false,
    })
    assert.equal(decrypted, secret)
    const after = (await root.client.getPrivateKey({ organizationId, privateKeyId })).privateKey
    assert.deepEqual([after.imported, after.exported], [true, true])
    await remove()
    await assert.rejects(root.client.getPrivateKey({ organizationId, privateKeyId }), { code: 5 })
  })

  test('a Solana key goes out in the form its wallets read', async () => {
    const { root, env } = setting
    const { organizationId } = root
    const created = await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: [
          {
            privateKeyName: 'Goes out',
            curve: 'CURVE_ED25519',
            privateKeyTags: [],
            addressFormats: ['ADDRESS_FORMAT_SOLANA'],
          },
        ],
      }),
    )
    const made = created.activity.result.createPrivateKeysResultV2?.privateKeys[0]
    const privateKeyId = present(made?.privateKeyId, 'the key')
    const target = generateP256KeyPair()
    const exported = await root.client.exportPrivateKey(
      root.activity('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', {
        privateKeyId,
        targetPublicKey: target.publicKeyUncompressed,
      }),
    )
    const opened = await decryptExportBundle({
      exportBundle: present(exported.activity.result.exportPrivateKeyResult?.exportBundle, 'the bundle'),
      organizationId,
      embeddedKey: target.privateKey,
      dangerouslyOverrideSignerPublicKey: env.SIGNER_PUBLIC_KEY,
      keyFormat: 'SOLANA',
      returnMnemonic: false,
    })
    assert.match(opened, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
  })

  test('a tag is put on keys, renamed, taken off and deleted, and deleted keys are gone from the list', async () => {
    const { root } = setting
    const { organizationId } = root
    const created = await root.client.createPrivateKeyTag(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG', { privateKeyTagName: 'Cold', privateKeyIds: [] }),
    )
    const privateKeyTagId = present(created.activity.result.createPrivateKeyTagResult?.privateKeyTagId, 'tag')
    const keys = await root.client.createPrivateKeys(
      root.activity('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
        privateKeys: ['One', 'Two'].map((privateKeyName) => ({
          privateKeyName,
          curve: 'CURVE_P256',
          privateKeyTags: privateKeyName === 'One' ? [privateKeyTagId] : [],
          addressFormats: [],
        })),
      }),
    )
    const made = present(keys.activity.result.createPrivateKeysResultV2, 'the keys').privateKeys
    const [one = '', two = ''] = made.map(({ privateKeyId }) => privateKeyId)
    await root.client.updatePrivateKeyTag(
      root.activity('ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG', {
        privateKeyTagId,
        newPrivateKeyTagName: 'Warm',
        addPrivateKeyIds: [two],
        removePrivateKeyIds: [one],
      }),
    )
    const { privateKeyTags } = await root.client.listPrivateKeyTags({ organizationId })
    assert.ok(privateKeyTags.some(({ tagId, tagName }) => tagId === privateKeyTagId && tagName === 'Warm'))
    const tagsOf = async (privateKeyId: string) =>
      (await root.client.getPrivateKey({ organizationId, privateKeyId })).privateKey.privateKeyTags
    assert.deepEqual([await tagsOf(one), await tagsOf(two)], [[], [privateKeyTagId]])
    await root.client.deletePrivateKeyTags(
      root.activity('ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', { privateKeyTagIds: [privateKeyTagId] }),
    )
    assert.deepEqual(await tagsOf(two), [])
    await root.client.deletePrivateKeys(
      root.activity('ACTIVITY_TYPE_DELETE_PRIVATE_KEYS', {
        privateKeyIds: [one, two],
        deleteWithoutExport: true,
      }),
    )
    const { privateKeys } = await root.client.getPrivateKeys({ organizationId })
    assert.equal(
      privateKeys.some(({ privateKeyId }) => privateKeyId === one || privateKeyId === two),
      false,
    )
  })
}
