import { defineFailure, INVALID_ARGUMENT } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, place } from '../../catalogue/objects.ts'
import { object, shown, text, uuid } from '../../catalogue/shape.ts'
import { exportBundle } from '../../crypto/bundles.ts'
import { readP256Key } from '../../crypto/p256.ts'
import type { EcPublicKey } from '../../crypto/signature.ts'
import { string } from '../../policy/types.ts'
import { knownKey, privateKeyNotFound, privateKeys } from './private-key.ts'
import { privateKeyFacts, privateKeyNamespace } from './private-key-facts.ts'

export const invalidTargetPublicKey = defineFailure<{ readonly targetPublicKey: string }>({
  kind: 'invalidTargetPublicKey',
  code: INVALID_ARGUMENT,
  say: ({ targetPublicKey }) =>
    `invalid target public key: ${shown(targetPublicKey)} is not a P-256 point of 65 bytes, uncompressed, in hexadecimal`,
})

export const exportPrivateKey = defineActivity({
  operation: 'export_private_key',
  summary: 'Export a private key, encrypted to a key of the caller',
  forms: form(
    'ACTIVITY_TYPE_EXPORT_PRIVATE_KEY',
    object({ privateKeyId: uuid, targetPublicKey: text({ min: 1, max: 256 }) }),
    {
      key: 'exportPrivateKeyResult',
      shape: object({ privateKeyId: uuid, exportBundle: text({ max: 4_096 }) }),
    },
  ),
  resource: 'PRIVATE_KEY',
  action: 'EXPORT',
  authority: { kind: 'policies' },
  amends: true,
  fails: [privateKeyNotFound, invalidTargetPublicKey],
  example: {
    intent: {
      privateKeyId: '0198c5a0-7d3c-7000-8000-000000000001',
      targetPublicKey:
        '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
    },
    result: {
      privateKeyId: '0198c5a0-7d3c-7000-8000-000000000001',
      exportBundle:
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
    },
  },
  // One key has one spelling for policies: what denies it cannot be passed by writing it in capitals.
  params: {
    types: { target_public_key: string },
    of: ({ targetPublicKey }) => ({ target_public_key: targetPublicKey.toLowerCase() }),
  },
  validate: ({ targetPublicKey }) => {
    targetKey(targetPublicKey)
  },
  needs: ({ privateKeyId }) => ({ key: objectsById(privateKeys, [privateKeyId]) }),
  namespaces: privateKeyNamespace,
  facts: ({ rows }) => privateKeyFacts(rows.key),

  execute({ intent: { privateKeyId, targetPublicKey }, charter, rows, now, randomBytes, service }) {
    const { organizationId } = charter
    const { body, secret } = knownKey(rows.key, privateKeyId, organizationId)
    const to = { receiver: targetKey(targetPublicKey), organizationId }
    return {
      result: {
        privateKeyId,
        exportBundle: exportBundle(secret.reveal(), to, service.bundleSigner, randomBytes),
      },
      put: [place(privateKeys, privateKeyId, { ...body, exported: true, updatedAt: now }, secret)],
    }
  },
})

const UNCOMPRESSED_DIGITS = 130

function targetKey(targetPublicKey: string): EcPublicKey {
  const key = targetPublicKey.length === UNCOMPRESSED_DIGITS ? readP256Key(targetPublicKey) : undefined
  if (key === undefined) throw invalidTargetPublicKey({ targetPublicKey })
  return key
}
