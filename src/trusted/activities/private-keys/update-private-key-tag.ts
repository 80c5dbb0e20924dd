import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsById } from '../../catalogue/objects.ts'
import { label, list, object, optional, uuid } from '../../catalogue/shape.ts'
import { knownTag, tagNameTaken, tagNotFound, withTag } from '../../charter/tags.ts'
import { PRIVATE_KEYS_AT_ONCE_MAX } from './new-private-key.ts'
import { knownKeys, privateKeyNotFound, privateKeys } from '../../objects/private-key.ts'
import { retagged } from './tagged-keys.ts'

const ids = list(uuid, { max: PRIVATE_KEYS_AT_ONCE_MAX })

export const updatePrivateKeyTag = defineActivity({
  operation: 'update_private_key_tag',
  summary: 'Rename a private key tag, and add it to private keys or remove it from them',
  forms: form(
    'ACTIVITY_TYPE_UPDATE_PRIVATE_KEY_TAG',
    object({
      privateKeyTagId: uuid,
      newPrivateKeyTagName: optional(label),
      addPrivateKeyIds: ids,
      removePrivateKeyIds: ids,
    }),
    { key: 'updatePrivateKeyTagResult', shape: object({ privateKeyTagId: uuid }) },
  ),
  resource: 'PRIVATE_KEY',
  action: 'UPDATE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [tagNotFound, tagNameTaken, privateKeyNotFound],
  example: {
    intent: {
      privateKeyTagId: '0198c5a0-7d3c-7000-8000-0000000000a1',
      newPrivateKeyTagName: 'cold',
      addPrivateKeyIds: [],
      removePrivateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'],
    },
    result: { privateKeyTagId: '0198c5a0-7d3c-7000-8000-0000000000a1' },
  },
  needs: ({ addPrivateKeyIds, removePrivateKeyIds }) => ({
    keys: objectsById(privateKeys, [...addPrivateKeyIds, ...removePrivateKeyIds]),
  }),

  execute({ intent, charter, rows, now }) {
    const { privateKeyTagId: tagId, newPrivateKeyTagName, addPrivateKeyIds, removePrivateKeyIds } = intent
    const tag = knownTag(charter, 'TAG_TYPE_PRIVATE_KEY', tagId)
    const named = [...addPrivateKeyIds, ...removePrivateKeyIds]
    const keys = knownKeys(rows.keys, named, charter.organizationId)
    return {
      result: { privateKeyTagId: tagId },
      charter: withTag(charter, { ...tag, tagName: newPrivateKeyTagName ?? tag.tagName, updatedAt: now }),
      // A key that is named both ways ends without the tag.
      put: retagged(keys, now, ({ privateKeyId, privateKeyTags }) =>
        removePrivateKeyIds.includes(privateKeyId)
          ? privateKeyTags.filter((other) => other !== tagId)
          : [...privateKeyTags, tagId],
      ),
    }
  },
})
