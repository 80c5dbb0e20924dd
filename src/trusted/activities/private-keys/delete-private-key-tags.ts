import { defineFailure, FAILED_PRECONDITION } from '../../base/failure.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { objectsFound } from '../../catalogue/objects.ts'
import { list, object, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { checkTags, tagNotFound, withoutTags } from '../../charter/tags.ts'
import { privateKeys } from '../../objects/private-key.ts'
import { retagged } from './tagged-keys.ts'

const tagIds = list(uuid, { min: 1, max: limits.tags })

/** One unit re-seals every key with the tag; more keys than this would delay other requests. */
const KEYS_MAX = 1_000

const tagOnTooManyKeys = defineFailure({
  kind: 'tagOnTooManyKeys',
  code: FAILED_PRECONDITION,
  say: () =>
    `the tags are on more than ${KEYS_MAX} private keys, which cannot be changed at once: take them off some with update_private_key_tag first`,
})

export const deletePrivateKeyTags = defineActivity({
  operation: 'delete_private_key_tags',
  summary: 'Delete private key tags, and remove them from every private key',
  forms: form('ACTIVITY_TYPE_DELETE_PRIVATE_KEY_TAGS', object({ privateKeyTagIds: tagIds }), {
    key: 'deletePrivateKeyTagsResult',
    shape: object({ privateKeyTagIds: tagIds, privateKeyIds: list(uuid, { max: KEYS_MAX }) }),
  }),
  resource: 'PRIVATE_KEY',
  action: 'DELETE',
  authority: { kind: 'policies' },
  amends: true,
  fails: [tagNotFound, tagOnTooManyKeys],
  example: {
    intent: { privateKeyTagIds: ['0198c5a0-7d3c-7000-8000-0000000000a1'] },
    result: {
      privateKeyTagIds: ['0198c5a0-7d3c-7000-8000-0000000000a1'],
      privateKeyIds: ['0198c5a0-7d3c-7000-8000-000000000001'],
    },
  },
  needs: ({ privateKeyTagIds }) => ({
    keys: objectsFound(
      privateKeys,
      privateKeyTagIds.map((value) => ({ kind: 'PRIVATE_KEY_TAG', value })),
      { enough: KEYS_MAX + 1 },
    ),
  }),

  execute({ intent: { privateKeyTagIds }, charter, rows: { keys }, now }) {
    checkTags(charter, 'TAG_TYPE_PRIVATE_KEY', privateKeyTagIds)
    if (keys.length > KEYS_MAX) throw tagOnTooManyKeys()
    return {
      result: { privateKeyTagIds, privateKeyIds: keys.map(({ objectId }) => objectId) },
      charter: withoutTags(charter, 'TAG_TYPE_PRIVATE_KEY', privateKeyTagIds),
      put: retagged(keys, now, ({ privateKeyTags }) =>
        privateKeyTags.filter((tagId) => !privateKeyTagIds.includes(tagId)),
      ),
    }
  },
})
