/** A text on one line and without control sequences for a terminal: invisible characters are written as escapes. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    JSON.stringify(character).length > 3
      ? JSON.stringify(character).slice(1, -1)
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** A value as JSON; in its texts, the characters that `printable` escapes are escaped as JSON allows. */
export function printableJson(value: unknown, indent?: number): string {
  return escapedJson(JSON.stringify(value, undefined, indent))
}

/** The same for a value that is JSON already. Outside of its texts there are none but line feeds. */
export function escapedJson(json: string): string {
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** An expression on one line: white space between its words becomes one space; text in quotes stays unchanged. */
export function onOneLine(expression: string): string {
  return printable(
    expression.replace(/'[^']*'|\s+/g, (found) => (found.startsWith("'") ? found : ' ')).trim(),
  )
}

/** Columns, each as wide as its widest entry, but for very wide ones; the last is not padded. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  // A request of the greatest length has more values than a call may have arguments.
  const widths: number[] = []
  for (const row of rows)
    for (const [at, { length }] of row.entries())
      widths[at] = Math.max(widths[at] ?? 0, Math.min(length, WIDTH_MAX))
  return rows.map((row) =>
    row
      .map((entry, at) => entry.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const WIDTH_MAX = 100
