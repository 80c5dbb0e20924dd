import { defineQuery } from '../../catalogue/query.ts'
import { list, object, organizationIdText } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { tagView } from '../../charter/view.ts'
import { tagShape } from '../shapes.ts'

export const listPrivateKeyTags = defineQuery({
  operation: 'list_private_key_tags',
  summary: 'List the tags that private keys may carry',
  request: object({ organizationId: organizationIdText }),
  response: object({ privateKeyTags: list(tagShape, { max: limits.tags }) }),
  answer: (_, { charter }) => ({
    privateKeyTags: charter.tags.filter(({ tagType }) => tagType === 'TAG_TYPE_PRIVATE_KEY').map(tagView),
  }),
})
