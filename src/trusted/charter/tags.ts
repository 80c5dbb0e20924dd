import { defineFailure, INVALID_ARGUMENT, NOT_FOUND } from '../base/failure.ts'
import type { Charter, Tag, TagType } from './charter.ts'
import { limits, tooMany } from './limits.ts'
import { placed } from './placed.ts'

export const tagNotFound = defineFailure<{ readonly tagId: string; readonly tagType: TagType }>({
  kind: 'tagNotFound',
  code: NOT_FOUND,
  say: ({ tagId, tagType }) => `unable to find ${nounOf(tagType)} ${tagId}`,
})

export const tagNameTaken = defineFailure<{ readonly tagName: string; readonly tagType: TagType }>({
  kind: 'tagNameTaken',
  code: INVALID_ARGUMENT,
  say: ({ tagName, tagType }) =>
    `tag label must be unique: there is a ${nounOf(tagType)} named ${JSON.stringify(tagName)} already`,
})

/** Refuses an id that is no tag of this type. */
export function checkTags(charter: Charter, tagType: TagType, tagIds: readonly string[]): void {
  for (const tagId of tagIds) knownTag(charter, tagType, tagId)
}

export function knownTag(charter: Charter, tagType: TagType, tagId: string): Tag {
  const tag = charter.tags.find((item) => item.tagId === tagId && item.tagType === tagType)
  if (tag === undefined) throw tagNotFound({ tagId, tagType })
  return tag
}

/** The charter with this tag added, or in the place of the one with its id. */
export function withTag(charter: Charter, tag: Tag): Charter {
  const { tagId, tagName, tagType } = tag
  const tags = placed(charter.tags, tag, (other) => other.tagId === tagId)
  if (tags.some((other) => other !== tag && other.tagType === tagType && other.tagName === tagName))
    throw tagNameTaken({ tagName, tagType })
  const max = charter.parentId === null ? limits.tags : limits.tagsOfSubOrganization
  if (tags.length > max) throw tooMany({ what: 'tags', max })
  return { ...charter, tags }
}

/** The charter without these tags, all of them of this type. The caller amends the users or keys that carry them. */
export function withoutTags(charter: Charter, tagType: TagType, tagIds: readonly string[]): Charter {
  checkTags(charter, tagType, tagIds)
  return { ...charter, tags: charter.tags.filter(({ tagId }) => !tagIds.includes(tagId)) }
}

function nounOf(tagType: TagType): string {
  return tagType === 'TAG_TYPE_USER' ? 'user tag' : 'private key tag'
}
