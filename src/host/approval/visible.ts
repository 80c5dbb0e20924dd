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

const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\p{Variation_Selector}/gu

/** More marks on one letter than any language has: they would cover neighbouring lines. */
const PILES = /\p{M}{4,}/gu

/**
 * A note about the letters of a text: the alphabets in it, unless it is only Latin. For example, a Cyrillic letter may
 * look like a Latin one. Undefined if there is nothing to report.
 */
export function lettersNote(text: string): string | undefined {
  const alphabets = ALPHABETS.filter(({ letters }) => letters.test(text)).map(({ name }) => name)
  const others = OTHERS.test(text) ? ['others'] : []
  const found = [...alphabets, ...others]
  if (found.length === 0) return undefined
  const mixed = LATIN.test(text) ? ' mixed with Latin ones, which can look alike' : ''
  return `letters of these alphabets: ${found.join(', ')}${mixed}`
}

const LATIN = /\p{Script=Latin}/u
const ALPHABETS = [
  { name: 'Cyrillic', letters: /\p{Script=Cyrillic}/u },
  { name: 'Greek', letters: /\p{Script=Greek}/u },
  { name: 'Armenian', letters: /\p{Script=Armenian}/u },
  { name: 'Cherokee', letters: /\p{Script=Cherokee}/u },
  { name: 'full-width or styled', letters: /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f1ff}]/u },
] as const
const OTHERS =
  /(?!\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u
