import type { ScreenProps } from '../screen.ts'
import { TAG_KINDS } from './kinds.ts'
import { OneTag } from './one-tag.tsx'
import { TagList } from './tag-list.tsx'
import { say as title } from '../words.ts'
import { say } from './words.ts'

/** The names by which policies speak of several users or keys at once. */
export function Tags({ session, rest: [path, tagId] }: ScreenProps) {
  const kind = TAG_KINDS.find((one) => one.path === path)
  if (kind !== undefined && tagId !== undefined)
    return <OneTag key={tagId} session={session} kind={kind} tagId={tagId} />
  return (
    <>
      <h1>{title('tags')}</h1>
      <p>{say('about')}</p>
      {TAG_KINDS.map((one) => (
        <TagList key={one.path} session={session} kind={one} />
      ))}
    </>
  )
}
