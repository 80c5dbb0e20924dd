const LINE_CHARACTERS_MAX = 120

/** A page of Markdown: blocks with a blank line between them. Paragraphs are broken into lines; tables, headings and code are not. */
export function markdownPage(blocks: readonly string[]): string {
  return `${blocks.map((block) => (isLaidOut(block) ? block : wrapped(block))).join('\n\n')}\n`
}

/** A table, a heading, a block of code, fenced or indented. */
function isLaidOut(block: string): boolean {
  return /^(\||#|```| {4})/.test(block)
}

function wrapped(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= LINE_CHARACTERS_MAX)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
