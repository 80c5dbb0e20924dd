/**
 * A text of somebody else as it can be shown: characters that nobody sees, or that turn the order of others, are
 * written as their number. A name cannot look like another one by them, nor like none.
 */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (character) => `⟨${numberOf(character)}⟩`)
}

/**
 * Controls, formats such as zero-width and bidirectional characters, fillers, separators of lines, private and
 * unassigned ones; spaces but the usual one, and of the usual ones those that a page draws as none: at an end, and
 * after another. Not what joins and colours an emoji.
 */
const HIDDEN =
  /(?!(?<=\p{ExtPict}\ufe0f?)\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})\ufe0f)[\p{C}\p{DI}\u2800]|(?! )\p{Z}|(?<=^| ) | $/gu

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * ` (…1a2b3c4d)`: the end of an id, for behind a name. A name can look like another one; an id comes from the vault,
 * and nobody chooses how it ends. It begins with the time at which it was made (`base/ids.ts`). Empty for what is no
 * id.
 */
export function shortId(id: string): string {
  return /^[\da-f-]{36}$/.test(id) ? ` (…${id.slice(-8)})` : ''
}

/**
 * A name within a sentence: it does not end its own quotation, so that it stands for one thing and says nothing more.
 */
export function called(name: string, id: string): string {
  return `“${name.replace(/[\p{QMark}\u02ba\u02ee\u2033]/gu, "'")}”${shortId(id)}`
}
