/**
 * A text of somebody else as it can be shown: characters that nobody sees, or that turn the order of others, are written as their
 * number. A name cannot look like another one by them.
 */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (character) => `⟨${numberOf(character)}⟩`)
}

/** Controls, formats such as zero-width and bidirectional characters, separators of lines, private and unassigned ones; not a joiner within an emoji. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * ` (1a2b3c4d)`: the beginning of an id, for behind a name. A name can look like another one; an id comes from the vault, and nobody
 * chooses how it begins. Empty for what is no id.
 */
export function shortId(id: string): string {
  return /^[\da-f-]{36}$/.test(id) ? ` (${id.slice(0, 8)})` : ''
}

/** A name within a sentence: it does not end its own quotation, so that it stands for one thing and says nothing more. */
export function called(name: string, id: string): string {
  return `“${name.replace(/\p{QMark}/gu, "'")}”${shortId(id)}`
}
