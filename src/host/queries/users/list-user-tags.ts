import { defineQuery } from '../../../trusted/catalogue/query.ts'
import { list, object, organizationIdText } from '../../../trusted/catalogue/shape.ts'
import { limits } from '../../../trusted/charter/limits.ts'
import { tagView } from '../../../trusted/charter/view.ts'
import { tagShape } from '../shapes.ts'

/** The users with a tag are read from the users. */
export const listUserTags = defineQuery({
  operation: 'list_user_tags',
  summary: 'List the user tags of an organization',
  request: object({ organizationId: organizationIdText }),
  response: object({ userTags: list(tagShape, { max: limits.tags }) }),
  example: {},
  answer: (_, { charter }) => ({
    userTags: charter.tags.filter(({ tagType }) => tagType === 'TAG_TYPE_USER').map(tagView),
  }),
})
