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
      {plainText(before)}
      <mark>{plainText(place) || '␣'}</mark>
      {plainText(after)}
    </code>
  )
}
