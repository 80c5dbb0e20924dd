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
