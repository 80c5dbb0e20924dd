/**
 * A text by a stranger, on one line and without invisible parts: controls, marks of direction, fillers, unusual spaces
 * and stacks of marks are written as escapes. Two different texts are never shown alike, because a backslash is
 * doubled.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replace(UNSEEN, escaped)
    .replace(PILES, (marks) => [...marks].map(escaped).join(''))
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

const UNSEEN = /(?! )[\p{C}\p{Z}\p{DI}\u2800]/gu

/**
 * A text by a stranger within a sentence: it does not end its own quotation, so that the rest of it is not read as
 * words of this page.
 */
export function quoted(text: string): string {
  return `"${visible(text).replaceAll('"', '\\"').replace(QUOTES, escaped)}"`
}

/** The same for a text that is shown in whole elsewhere: a long one does not push the rest of its sentence away. */
export function quotedBeginning(text: string): string {
  const said = quoted(text)
  return said.length > BEGINNING ? `${said.slice(0, BEGINNING)}… (all of it below)"` : said
}

const BEGINNING = 200

/** What looks like the quotation mark that ends a text (confusables of UTS 39, and ornaments). */
const QUOTES =
  /[\u02ba\u02dd\u02ee\u02f6\u05f4\u1cd3\u201c-\u201f\u2033-\u2037\u2057\u275d\u275e\u3003\u301d-\u301f\uff02\u{1f676}-\u{1f678}]/gu

/** More marks on one letter than any language has: they would cover neighbouring lines. */
const PILES = /\p{M}{4,}/gu

/**
 * A note about the letters of a text: the alphabets in it, unless it is only Latin. For example, a Cyrillic letter may
 * look like a Latin one. Undefined if there is nothing to report.
 */
export function lettersNote(text: string): string | undefined {
  const found = Object.keys(ALPHABETS).filter((name) => ALPHABETS[name]?.test(text))
  if (found.length === 0) return undefined
  const mixed = LATIN.test(text) ? ' mixed with Latin ones, which can look alike' : ''
  return `letters of these alphabets: ${found.join(', ')}${mixed}`
}

const LATIN = /\p{Script=Latin}/u
const ALPHABETS: { readonly [name: string]: RegExp } = {
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  'full-width, styled or phonetic':
    /[\u0131\u0250-\u02af\u1d00-\u1dbf\u2160-\u2188\u2460-\u24ff\ua720-\ua7ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]|(?=\p{L})[\u2100-\u214f]/u,
  // And Arabic digits, which several alphabets share.
  others:
    /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Common}\p{Script=Inherited}]|[\u0660-\u0669]/u,
}
