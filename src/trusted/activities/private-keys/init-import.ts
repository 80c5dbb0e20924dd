import { type Activity, defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { type ObjectKind, objectsById, place } from '../../catalogue/objects.ts'
import { object, text, uuid } from '../../catalogue/shape.ts'
import { userNotFound } from '../../charter/members.ts'
import { importTargetBundle } from '../../crypto/bundles.ts'
import { type ImportTarget, newTarget } from '../../objects/import-target.ts'

/**
 * An activity that begins an import: it creates the key to which the secret is encrypted. A new one replaces the
 * previous one.
 */
export function initImport(declared: {
  readonly operation: string
  readonly summary: string
  readonly type: string
  readonly resultKey: string
  readonly resource: 'PRIVATE_KEY' | 'WALLET'
  readonly targets: ObjectKind<ImportTarget>
}): Activity {
  const { operation, summary, type, resultKey, resource, targets } = declared
  return defineActivity({
    operation,
    summary,
    forms: form(type, object({ userId: uuid }), {
      key: resultKey,
      shape: object({ importBundle: text({ max: 4_096 }) }),
    }),
    resource,
    action: 'IMPORT',
    authority: { kind: 'onlySelf', self: ({ userId }) => userId },
    amends: true,
    fails: [userNotFound],
    example: {
      intent: { userId: '0198c5a0-7d3c-7000-8000-000000000002' },
      result: {
        importBundle:
          '{"version":"v1.0.0","data":"7b22…7d","dataSignature":"3045…0a","enclaveQuorumPublic":"0402…94"}',
      },
    },
    needs: ({ userId }) => ({ earlier: objectsById(targets, [userId]) }),

    execute({ intent: { userId }, charter: { organizationId }, now, randomBytes, service }) {
      const { secret, target } = newTarget(randomBytes)
      const body = { userId, organizationId, targetPublic: target.uncompressed, createdAt: now }
      const importBundle = importTargetBundle(target, { organizationId, userId }, service.bundleSigner)
      return { result: { importBundle }, put: [place(targets, userId, body, secret)] }
    },
  })
}
