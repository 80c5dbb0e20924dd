import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { everyObject, type Opened, place } from '../../catalogue/objects.ts'
import { int32, list, object, refined, text } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import { importTargetBundle } from '../../crypto/bundles.ts'
import { newTarget } from '../../objects/import-target.ts'
import { encryptionSuite } from './encryption-suite.ts'
import { SECRETS_AT_ONCE_MAX } from '../../objects/secret.ts'
import {
  isOpen,
  type SecretTarget,
  secretTargets,
  TARGETS_MAX,
  TARGETS_PER_USER_MAX,
} from '../../objects/secret-target.ts'

const numSecrets = refined(int32, {
  problem: (number) =>
    number >= 1 && number <= SECRETS_AT_ONCE_MAX
      ? undefined
      : `must be from 1 to ${SECRETS_AT_ONCE_MAX}, not ${number}`,
  schema: { minimum: 1, maximum: SECRETS_AT_ONCE_MAX },
})

export const initImportSecrets = defineActivity({
  operation: 'init_import_secrets',
  summary: 'Begin the import of secrets: create a key for each, to which it is encrypted',
  forms: form('ACTIVITY_TYPE_INIT_IMPORT_SECRETS', object({ encryptionSuite, numSecrets }), {
    key: 'initImportSecretsResult',
    shape: object({ enclaveTargetMessages: list(text({ max: 4_096 }), { max: SECRETS_AT_ONCE_MAX }) }),
  }),
  resource: 'SECRET',
  action: 'IMPORT',
  authority: { kind: 'policies' },
  amends: true,
  fails: [tooMany],
  example: {
    intent: { encryptionSuite: 'TRANSPORT_ENCRYPTION_SUITE_ENCLAVE_ENCRYPT_V1', numSecrets: 1 },
    result: {
      enclaveTargetMessages: [
        '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
      ],
    },
  },
  needs: () => ({ targets: everyObject(secretTargets) }),

  execute({ intent, charter, requester: { userId }, rows, now, randomBytes, service }) {
    const { organizationId } = charter
    const given = rows.targets.filter(({ body }) => body.userId === userId)
    const surplus = oldest(given, given.length + intent.numSecrets - TARGETS_PER_USER_MAX)
    const expired = rows.targets.filter((target) => !isOpen(target, now))
    const remove = [...new Set([...surplus, ...expired])]
    if (rows.targets.length - remove.length + intent.numSecrets > TARGETS_MAX)
      throw tooMany({ what: 'secrets whose import is unfinished', max: TARGETS_MAX })
    const made = Array.from({ length: intent.numSecrets }, () => newTarget(randomBytes))
    return {
      result: {
        enclaveTargetMessages: made.map(({ target }) =>
          // Clients refuse a bundle that names a user here; the import is still for the same user only.
          importTargetBundle(target, { organizationId, userId: '' }, service.bundleSigner),
        ),
      },
      put: made.map(({ secret, target: { uncompressed: targetPublic } }) =>
        place(secretTargets, targetPublic, { userId, targetPublic, createdAt: now }, secret),
      ),
      remove,
      // The new charter version prevents two such requests from counting the same targets.
      charter,
    }
  },
})

function oldest(targets: readonly Opened<SecretTarget>[], count: number): readonly Opened<SecretTarget>[] {
  if (count <= 0) return []
  return targets.toSorted((a, b) => a.body.createdAt - b.body.createdAt).slice(0, count)
}
