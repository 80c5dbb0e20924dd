const CHARACTERS_MAX = 500

/**
 * Why an attempt failed, as it is written down: one line that every store takes and every terminal may show. Most
 * reasons are sentences of ours; a part of one may come from the other side or from a library.
 *
 * @returns  no control characters, no half of a surrogate pair, at most 500 UTF-16 units
 */
export function failureText(reason: string): string {
  const line = reason.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  // The cut may go through a pair.
  return line.length <= CHARACTERS_MAX ? line : line.slice(0, CHARACTERS_MAX).replace(/\p{Cs}$/u, '')
}
