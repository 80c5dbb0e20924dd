/** A place in a text, with a little of what is around it. */
type Excerpt = { readonly before: string; readonly place: string; readonly after: string }

/** Cuts between words only, since half a number is another number, and shows by an ellipsis that it has cut. */
export function excerptOf(text: string, start: number, end: number): Excerpt {
  const placeEnd = Math.max(end, start + 1)
  const [before = ''] = WORDS_BEFORE.exec(text.slice(Math.max(0, start - AROUND_MAX), start)) ?? []
  const [after = ''] = WORDS_AFTER.exec(text.slice(placeEnd, placeEnd + AROUND_MAX)) ?? []
  return {
    before: (before.length < start ? '…' : '') + before,
    place: text.slice(start, placeEnd),
    after: after + (placeEnd + after.length < text.length ? '…' : ''),
  }
}

/**
 * Some twenty characters, and the rest of the word that they end in. The language has no number of a hundred digits.
 */
const WORDS_BEFORE = /[\w.'"-]{0,100}.{0,20}$/s
const WORDS_AFTER = /^.{0,20}[\w.'"-]{0,100}/s
const AROUND_MAX = 120
