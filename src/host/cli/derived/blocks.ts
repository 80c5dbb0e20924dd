import type { Field } from '../../../trusted/catalogue/fields.ts'

/** A JSON value as a block of code. */
export function codeBlock(value: object): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}

/** The fields of an object, each with its type, and with its meaning if one is given. */
export function fieldTable(fields: readonly Field[], meaning?: (path: string) => string | undefined): string {
  if (fields.length === 0) return 'No fields.'
  const rows = fields.map(({ path, holds, isRequired }) => [
    `\`${path}\``,
    ...(meaning === undefined ? [] : [meaning(path) ?? '']),
    holds.replaceAll('|', '\\|'),
    isRequired ? 'required' : 'optional',
  ])
  const head = ['Field', ...(meaning === undefined ? [] : ['Meaning']), 'Holds', '']
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.toSpliced(1, 0, `|${head.map(() => '---').join('|')}|`).join('\n')
}
