const CHARACTERS_MAX = 500

/**
 * The stored reason of a failed attempt: one line that every store accepts and every terminal may show. Most reasons
 * are our own sentences; a part of one may come from the other side or from a library.
 *
 * @returns  a text of at most 500 UTF-16 units, without control characters and without half of a surrogate pair
 */
export function failureText(reason: string): string {
  const line = reason.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  // The cut may fall inside a pair.
  return line.length <= CHARACTERS_MAX ? line : line.slice(0, CHARACTERS_MAX).replace(/\p{Cs}$/u, '')
}
