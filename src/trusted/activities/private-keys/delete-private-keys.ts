import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { boolean, list, object, optional, uuid } from '../../catalogue/shape.ts'
import { PRIVATE_KEYS_AT_ONCE_MAX } from './new-private-key.ts'
import { knownKeys, privateKeyNotFound, privateKeys } from '../../objects/private-key.ts'

const ids = list(uuid, { min: 1, max: PRIVATE_KEYS_AT_ONCE_MAX })

const privateKeyNotExported = defineFailure<{ readonly privateKeyId: string }>({
  kind: 'privateKeyNotExported',
  code: FAILED_PRECONDITION,
  say: ({ privateKeyId }) =>
    `private key has not been exported: ${privateKeyId}; export it first, or send deleteWithoutExport`,
})

export const deletePrivateKeys = defineActivity({
  operation: 'delete_private_keys',
  summary: 'Delete private keys; this is final',
  forms: form(
    'ACTIVITY_TYPE_DELETE_PRIVATE_KEYS',
    object({ privateKeyIds: ids, deleteWithoutExport: optional(boolean) }),
    { key: 'deletePrivateKeysResult', shape: object({ privateKeyIds: ids }) },
  ),
  resource: 'PRIVATE_KEY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [privateKeyNotFound, privateKeyNotExported],
  example: {
    intent: { privateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'], deleteWithoutExport: true },
    result: { privateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },
  needs: ({ privateKeyIds }) => ({ keys: objectsById(privateKeys, privateKeyIds) }),

  execute({ intent: { privateKeyIds, deleteWithoutExport = false }, charter, rows }) {
    const keys = knownKeys(rows.keys, privateKeyIds, charter.organizationId)
    const kept = keys.find(({ body }) => !body.exported)
    if (kept !== undefined && !deleteWithoutExport)
      throw privateKeyNotExported({ privateKeyId: kept.objectId })
    return { result: { privateKeyIds }, remove: [...new Set(keys)] }
  },
})
