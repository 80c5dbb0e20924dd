/** A text as inline code in Markdown, with any quotes. */
export function inCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
