/**
 * The mappings of a source map with one segment a line: where each line came from, and not each word of it. A stack
 * trace needs no more, and the maps of the package are a quarter as large.
 *
 * @param mappings  as ECMA-426 has them: lines between semicolons, segments between commas, of one source
 */
export function linesOnly(mappings: string): string {
  const at = { line: 0, column: 0 }
  const before = { line: 0, column: 0 }
  return mappings
    .split(';')
    .map((line) => {
      let first: string | undefined
      for (const segment of line.split(',')) {
        const [, , lines, columns] = decoded(segment)
        if (lines === undefined || columns === undefined) continue
        at.line += lines
        at.column += columns
        if (first !== undefined) continue
        // The first field counts from the beginning of the line, the others from the segment before.
        first = [0, 0, at.line - before.line, at.column - before.column].map(encoded).join('')
        Object.assign(before, at)
      }
      return first ?? ''
    })
    .join(';')
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base 64 VLQ: five bits a digit, the sixth says that more follow, and the lowest bit of all is the sign. */
function decoded(segment: string): readonly number[] {
  const values: number[] = []
  let [value, shift] = [0, 0]
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit)
    value += (bits & 31) << shift
    shift += 5
    if (bits >= 32) continue
    values.push(value & 1 ? -(value >> 1) : value >> 1)
    ;[value, shift] = [0, 0]
  }
  return values
}

function encoded(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const bits = rest & 31
    rest >>= 5
    text += DIGITS[rest > 0 ? bits | 32 : bits] ?? ''
  } while (rest > 0)
  return text
}
