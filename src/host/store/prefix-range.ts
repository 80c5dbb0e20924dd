import type { FoundEntry } from './store.ts'

/** The entries with a prefix, as a range in the order of bytes: after `from`, and with values below `below`. */
export function prefixRange(prefix: string, after: FoundEntry | undefined) {
  return { from: after ?? { value: prefix, target: '' }, below: endOf(prefix) }
}

/** The first text after all texts with the prefix: its last character becomes the next existing one. */
function endOf(prefix: string): string {
  const characters = Array.from(prefix)
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? LAST
    if (last >= LAST) continue
    const next = last + 1 >= SURROGATES && last + 1 < AFTER_SURROGATES ? AFTER_SURROGATES : last + 1
    return characters.join('') + String.fromCodePoint(next)
  }
  return BEHIND_ALL
}

const LAST = 0x10ffff
const SURROGATES = 0xd800
const AFTER_SURROGATES = 0xe000
/** No value is so long and consists only of the last character. */
const BEHIND_ALL = String.fromCodePoint(LAST).repeat(8)
