const LINE_CHARACTERS_MAX = 120

/**
 * A page of Markdown: blocks with a blank line between them. Paragraphs are broken into lines; tables, headings and
 * code are not.
 */
export function markdownPage(blocks: readonly string[]): string {
  return `${blocks.map((block) => (isLaidOut(block) ? block : wrapped(block))).join('\n\n')}\n`
}

/** A table, a heading, a block of code, fenced or indented. */
function isLaidOut(block: string): boolean {
  return /^(\||#|```| {4})/.test(block)
}

/** A paragraph, or a list with each item on a line of its own. */
function wrapped(block: string): string {
  return block.split('\n').map(wrappedLine).join('\n')
}

function wrappedLine(text: string): string {
  const indent = text.startsWith('- ') ? '  ' : ''
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= LINE_CHARACTERS_MAX)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(line === undefined ? word : `${indent}${word}`)
  }
  return lines.join('\n')
}
