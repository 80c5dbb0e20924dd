import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { list, object, optional, text, uuid } from '../../catalogue/shape.ts'
import { exportBundle } from '../../crypto/bundles.ts'
import { invalidTargetPublicKey, targetKey, targetPublicKey } from '../private-keys/target-key.ts'
import { encryptionSuite } from './encryption-suite.ts'
import {
  factsOfSecrets,
  knownSecrets,
  secretNotFound,
  secrets,
  SECRETS_AT_ONCE_MAX,
} from '../../objects/secret.ts'
import { keyValues, secretNamespace } from '../../objects/static-properties.ts'

const params = object({
  secretId: uuid,
  targetPublicKey,
  encryptionSuite,
  // The caller's reason for the export: stamped with the request, and kept in its record.
  requestContext: optional(keyValues),
})

export const exportSecrets = defineActivity({
  operation: 'export_secrets',
  summary: 'Export secrets, each encrypted to a key of the caller',
  forms: form(
    'ACTIVITY_TYPE_EXPORT_SECRETS',
    object({ secrets: list(params, { min: 1, max: SECRETS_AT_ONCE_MAX }) }),
    {
      key: 'exportSecretsResult',
      shape: object({ secretPayloads: list(text({ max: 131_072 }), { max: SECRETS_AT_ONCE_MAX }) }),
    },
  ),
  resource: 'SECRET',
  action: 'EXPORT',
  authority: { kind: 'policies' },
  amends: false,
  fails: [secretNotFound, invalidTargetPublicKey],
  example: {
    intent: {
      secrets: [
        {
          secretId: '0198c5a0-7d3c-7000-8000-000000000001',
          targetPublicKey:
            '0464fb511728122da3b7b8a449c79d7a9e3fb847f4cbf0efbc6c82f68ada0ae5ebd1f9b6a45f5e4b61852c8e293a7b79022422ffff9ea8fba7297271b589cc9ed2',
          encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1',
        },
      ],
    },
    result: {
      secretPayloads: [
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
      ],
    },
  },
  validate: (intent) => {
    for (const secret of intent.secrets) targetKey(secret.targetPublicKey)
  },
  needs: (intent) => ({
    secrets: objectsById(
      secrets,
      intent.secrets.map(({ secretId }) => secretId),
    ),
  }),
  namespaces: secretNamespace,
  facts: ({ rows }) => factsOfSecrets(rows.secrets),

  execute({ intent, charter: { organizationId }, rows, randomBytes, service }) {
    const secretIds = intent.secrets.map(({ secretId }) => secretId)
    const known = knownSecrets(rows.secrets, secretIds, organizationId)
    return {
      result: {
        secretPayloads: known.map(({ secret }, index) => {
          const receiver = targetKey(intent.secrets[index]?.targetPublicKey ?? '')
          return exportBundle(
            secret.reveal(),
            { receiver, organizationId },
            service.bundleSigner,
            randomBytes,
          )
        }),
      },
    }
  },
})
