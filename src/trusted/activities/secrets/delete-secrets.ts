import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { list, object, refined, uuid } from '../../catalogue/shape.ts'
import { factsOfSecrets, knownSecrets, secretNotFound, secrets } from '../../objects/secret.ts'
import { secretNamespace } from '../../objects/static-properties.ts'

const SECRETS_DELETED_AT_ONCE_MAX = 32

const ids = refined(list(uuid, { min: 1, max: SECRETS_DELETED_AT_ONCE_MAX }), {
  problem: (given) => (new Set(given).size === given.length ? undefined : 'must have each id once'),
  schema: { uniqueItems: true },
})

export const deleteSecrets = defineActivity({
  operation: 'delete_secrets',
  summary: 'Delete secrets; this is final',
  forms: form('ACTIVITY_TYPE_DELETE_SECRETS', object({ secretIds: ids }), {
    key: 'deleteSecretsResult',
    shape: object({ secretIds: ids }),
  }),
  resource: 'SECRET',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [secretNotFound],
  example: {
    intent: { secretIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
    result: { secretIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
  },
  needs: ({ secretIds }) => ({ secrets: objectsById(secrets, secretIds) }),
  namespaces: secretNamespace,
  facts: ({ rows }) => factsOfSecrets(rows.secrets),

  execute({ intent: { secretIds }, charter: { organizationId }, rows }) {
    return { result: { secretIds }, remove: knownSecrets(rows.secrets, secretIds, organizationId) }
  },
})
