import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { label, list, object, uuid } from '../../catalogue/shape.ts'
import { tooMany } from '../../charter/limits.ts'
import { tagNameTaken, withTag } from '../../charter/tags.ts'
import { PRIVATE_KEYS_AT_ONCE_MAX } from './new-private-key.ts'
import { knownKeys, privateKeyNotFound, privateKeys } from '../../objects/private-key.ts'
import { retagged } from './tagged-keys.ts'

const ids = list(uuid, { max: PRIVATE_KEYS_AT_ONCE_MAX })

export const createPrivateKeyTag = defineActivity({
  operation: 'create_private_key_tag',
  summary: 'Create a private key tag, and add it to private keys',
  forms: form(
    'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
    object({ privateKeyTagName: label, privateKeyIds: ids }),
    {
      key: 'createPrivateKeyTagResult',
      shape: object({ privateKeyTagId: uuid, privateKeyIds: ids }),
    },
  ),
  resource: 'PRIVATE_KEY',
  action: 'CREATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [tagNameTaken, tooMany, privateKeyNotFound],
  example: {
    intent: { privateKeyTagName: 'hot', privateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'] },
    result: {
      privateKeyTagId: '0198c5a0-7d3c-7000-8000-0000000000a1',
      privateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'],
    },
  },
  needs: ({ privateKeyIds }) => ({ keys: objectsById(privateKeys, privateKeyIds) }),

  execute({ intent: { privateKeyTagName: tagName, privateKeyIds }, charter, rows, now, newId }) {
    const keys = knownKeys(rows.keys, privateKeyIds, charter.organizationId)
    const tagId = newId()
    return {
      result: { privateKeyTagId: tagId, privateKeyIds },
      charter: withTag(charter, {
        tagId,
        tagName,
        tagType: 'TAG_TYPE_PRIVATE_KEY',
        createdAt: now,
        updatedAt: now,
      }),
      put: retagged(keys, now, ({ privateKeyTags }) => [...privateKeyTags, tagId]),
    }
  },
})
