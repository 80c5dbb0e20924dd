/** A text as a piece of code in Markdown, whatever quotes it has. */
export function inCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
