/** One place in a source file that is changed so that some promise should break. */
export type Mutation = {
  readonly path: string
  readonly line: number
  /** The line as it is, and as it becomes. */
  readonly before: string
  readonly after: string
}

/**
 * What is written instead of what; each at every place where it stands between spaces, as the formatter leaves
 * operators.
 */
const SWAPS: readonly (readonly [string, string])[] = [
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' + ', ' - '],
  [' - ', ' + '],
  [' += ', ' -= '],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['return true', 'return false'],
  ['return false', 'return true'],
]

/** Every mutation of a file: operators swapped, conditions always or never met, calls and refusals left out. */
export function mutationsOf(path: string, text: string): readonly Mutation[] {
  let isType = false
  return text.split('\n').flatMap((before, at) => {
    if (/^(export )?type /.test(before)) isType = true
    const wasType = isType
    if (isType && (before.startsWith('}') || /^\S.*[^{|=&]$/.test(before) || before === '')) isType = false
    if (wasType || /^\s*(\/\/|\/?\*|import |export \* )/.test(before)) return []
    const changed = [...swapped(before), ...conditions(before), ...unsupportedPath(before)]
    return [...new Set(changed)].map((after) => ({ path, line: at + 1, before, after }))
  })
}

function swapped(line: string): readonly string[] {
  const code = withoutTexts(line)
  return SWAPS.flatMap(([from, to]) => {
    const found: string[] = []
    for (let at = code.indexOf(from); at >= 0; at = code.indexOf(from, at + 1))
      found.push(line.slice(0, at) + to + line.slice(at + from.length))
    return found
  })
}

function conditions(line: string): readonly string[] {
  const condition = /^(\s*(?:\} else )?(?:if|while) )\((.*)\)( \{| .*|)$/.exec(line)
  if (condition === null || !isBalanced(condition[2] ?? '')) return []
  const [, start = '', , rest = ''] = condition
  return start.includes('while')
    ? [`${start}(false)${rest}`]
    : [`${start}(true)${rest}`, `${start}(false)${rest}`]
}

/** A whole statement that is a call, a refusal or an early return without a value. */
function unsupportedPath(line: string): readonly string[] {
  const statement = /^(\s+)(?:(?:await |yield\* )?[\w.#]+\(.*\)|throw .*\)|[\w.#]+ [+-]?= .*)$/.exec(line)
  return statement !== null && isBalanced(line) ? [`${statement[1]};`] : []
}

/** Of the same length, with a blank for whatever stands in quotes. */
function withoutTexts(line: string): string {
  return line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\/.*$/g, (text) =>
    '\0'.repeat(text.length),
  )
}

function isBalanced(line: string): boolean {
  let depth = 0
  for (const character of withoutTexts(line)) {
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
