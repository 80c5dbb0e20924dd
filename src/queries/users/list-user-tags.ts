import { defineQuery } from '../../catalogue/query.ts'
import { list, object, oneOf, text, uuid } from '../../catalogue/shape.ts'
import { limits } from '../../charter/limits.ts'
import { tagView } from '../../charter/view.ts'
import { times } from './credential-shapes.ts'

const tag = object({
  tagId: uuid,
  tagName: text({ max: 255 }),
  tagType: oneOf(['TAG_TYPE_USER', 'TAG_TYPE_PRIVATE_KEY']),
  ...times,
})

/** Who carries a tag is read from the users. */
export const listUserTags = defineQuery({
  operation: 'list_user_tags',
  summary: 'List the user tags of an organization',
  request: object({ organizationId: text({ max: 64 }) }),
  response: object({ userTags: list(tag, { max: limits.tags }) }),
  answer: (_, { charter }) => ({
    userTags: charter.tags.filter(({ tagType }) => tagType === 'TAG_TYPE_USER').map(tagView),
  }),
})
