/**
 * Whether a command wrote what the page shows. `…` stands for any text within a line, and a line with nothing else for
 * any number of lines. What goes on running has to have begun so.
 */
export function isAsShown(shown: string, written: string, { goesOn = false } = {}): boolean {
  const lines = shown.trimEnd().split('\n')
  const pattern = lines
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${lineOf(line)}[ ]*\\n`))
    .join('')
  return new RegExp(`^${pattern}${goesOn ? '' : '$'}`).test(`${written.trimEnd()}\n`)
}

function lineOf(line: string): string {
  return line
    .trimEnd()
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('…', '.*')
}
