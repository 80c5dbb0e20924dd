import { plainText } from '../../words/plain-text.ts'

/** A place in a text, marked, with a little of what is around it. */
export function Place({
  text,
  start = 0,
  end = 0,
}: {
  readonly text: string
  readonly start?: number
  readonly end?: number
}) {
  return (
    <code>
      {plainText(text.slice(Math.max(0, start - AROUND), start))}
      <mark>{plainText(text.slice(start, Math.max(end, start + 1))) || '␣'}</mark>
      {plainText(text.slice(Math.max(end, start + 1), end + AROUND))}
    </code>
  )
}

const AROUND = 20
