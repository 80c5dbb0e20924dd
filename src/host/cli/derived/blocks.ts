import type { Field } from '../../../trusted/catalogue/fields.ts'

/** A JSON value as a block of code. */
export function codeBlock(value: object): string {
  return ['```json', JSON.stringify(value, null, 2), '```'].join('\n')
}

/** The fields of an object, each with what it holds. */
export function fieldTable(fields: readonly Field[]): string {
  if (fields.length === 0) return 'No fields.'
  const rows = fields.map(
    ({ path, holds, isRequired }) =>
      `| \`${path}\` | ${holds.replaceAll('|', '\\|')} | ${isRequired ? 'required' : 'optional'} |`,
  )
  return ['| Field | Holds | |', '|---|---|---|', ...rows].join('\n')
}
