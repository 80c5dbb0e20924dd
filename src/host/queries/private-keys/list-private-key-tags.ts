import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { tagView } from '../../../trusted/charter/view.ts'
import { tagShape } from '../shapes.ts'

export const listPrivateKeyTags = defineQuery({
  operation: 'list_private_key_tags',
  summary: 'List the private key tags of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ privateKeyTags: list(tagShape, { max: limits.tags }) }),
  example: {},
  answer: (_, { charter }) => ({
    privateKeyTags: charter.tags.filter(({ tagType }) => tagType === 'TAG_TYPE_PRIVATE_KEY').map(tagView),
  }),
})
