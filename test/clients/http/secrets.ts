import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptSecretBundle, encryptSecretToBundle, generateP256KeyPair } from '@turnkey/crypto'
import { present } from '../../../src/trusted/base/assert.ts'
import type { Setting } from '../setting.ts'

export function secretFlows(setting: Setting): void {
  test('secrets come in and go out as the published library encrypts and decrypts them, and are listed without themselves', async () => {
    const { root, keys } = setting
    const { client, activity, organizationId } = root
    const encryptionSuite = 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1' as const
    const dangerouslyOverrideSignerPublicKey = keys.signer
    const plaintexts = ['hunter2', 'ünïcödé ✍']

    const begun = await client.initImportSecrets(
      activity('ACTIVITY_TYPE_INIT_IMPORT_SECRETS', { encryptionSuite, numSecrets: plaintexts.length }),
    )
    const targets = present(
      begun.activity.result.initImportSecretsResult,
      'the targets',
    ).enclaveTargetMessages
    const secrets = await Promise.all(
      plaintexts.map(async (plaintext, index) => ({
        ...(await encryptSecretToBundle({
          plaintext,
          ingressTargetBundle: present(targets[index], 'one for each'),
          organizationId,
          dangerouslyOverrideSignerPublicKey,
        })),
        encryptionSuite,
        name: `Secret ${index}`,
      })),
    )
    const imported = await client.importSecrets(activity('ACTIVITY_TYPE_IMPORT_SECRETS', { secrets }))
    const { secretIds } = present(imported.activity.result.importSecretsResult, 'the secrets')
    const listed = await client.listSecrets({ organizationId })
    assert.deepEqual(
      new Map(listed.secrets.map(({ secretId, name }) => [secretId, name])),
      new Map(secretIds.map((secretId, index) => [secretId, `Secret ${index}`])),
    )
    assert.equal(JSON.stringify(listed).includes('hunter2'), false)

    const target = generateP256KeyPair()
    const exported = await client.exportSecrets(
      activity('ACTIVITY_TYPE_EXPORT_SECRETS', {
        secrets: secretIds.map((secretId) => ({
          secretId,
          targetPublicKey: target.publicKeyUncompressed,
          encryptionSuite,
        })),
      }),
    )
    const { secretPayloads } = present(exported.activity.result.exportSecretsResult, 'the payloads')
    const opened = secretPayloads.map((secretPayload) =>
      decryptSecretBundle({
        secretPayload,
        embeddedPrivateKey: target.privateKey,
        organizationId,
        dangerouslyOverrideSignerPublicKey,
      }),
    )
    assert.deepEqual(await Promise.all(opened), plaintexts)

    const deleted = await client.deleteSecrets(activity('ACTIVITY_TYPE_DELETE_SECRETS', { secretIds }))
    assert.deepEqual(deleted.activity.result.deleteSecretsResult, { secretIds })
    assert.deepEqual((await client.listSecrets({ organizationId })).secrets, [])
  })
}
