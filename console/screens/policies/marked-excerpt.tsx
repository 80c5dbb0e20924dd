import { plainText } from '../../words/plain-text.ts'
import { excerptOf } from './excerpt.ts'

/** A part of a text, marked, with a little of what is around it. */
export function MarkedExcerpt({
  text,
  start = 0,
  end = 0,
}: {
  readonly text: string
  readonly start?: number
  readonly end?: number
}) {
  const { before, place, after } = excerptOf(text, start, end)
  return (
    <code>
      {withinText(before)}
      <mark>{withinText(place) || '␣'}</mark>
      {withinText(after)}
    </code>
  )
}

/** A part of a text may begin and end with a space. */
function withinText(part: string): string {
  return plainText(`.${part}.`).slice(1, -1)
}
