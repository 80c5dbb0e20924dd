import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById, place } from '../../catalogue/objects.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { exportBundle } from '../../crypto/bundles.ts'
import { knownKey, privateKeyNotFound, privateKeys } from '../../objects/private-key.ts'
import { privateKeyFacts, privateKeyNamespace } from './private-key-facts.ts'
import {
  invalidTargetPublicKey,
  targetKey,
  targetKeyFacts,
  targetKeyTypes,
  targetPublicKey,
} from './target-key.ts'

export const exportPrivateKey = defineActivity({
  operation: 'export_private_key',
  summary: 'Export a private key, encrypted to a key of the caller',
  forms: form('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', object({ privateKeyId: uuid, targetPublicKey }), {
    key: 'exportPrivateKeyResult',
    shape: object({ privateKeyId: uuid, exportBundle: text({ max: 4_096 }) }),
  }),
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
  params: { types: targetKeyTypes, of: (intent) => targetKeyFacts(intent) },
  validate: (intent) => {
    targetKey(intent.targetPublicKey)
  },
  needs: ({ privateKeyId }) => ({ key: objectsById(privateKeys, [privateKeyId]) }),
  namespaces: privateKeyNamespace,
  facts: ({ rows }) => privateKeyFacts(rows.key),

  execute({ intent: { privateKeyId, targetPublicKey: target }, charter, rows, now, randomBytes, service }) {
    const { organizationId } = charter
    const { body, secret } = knownKey(rows.key, privateKeyId, organizationId)
    const to = { receiver: targetKey(target), organizationId }
    return {
      result: {
        privateKeyId,
        exportBundle: exportBundle(secret.reveal(), to, service.bundleSigner, randomBytes),
      },
      put: [place(privateKeys, privateKeyId, { ...body, exported: true, updatedAt: now }, secret)],
    }
  },
})
