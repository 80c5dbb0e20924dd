import type { Value } from '../types.ts'

/** No value: something is out of range. */
const NONE = Symbol('none')
type Found = Value | typeof NONE

type Names = ReadonlyMap<string, Value>

/**
 * The value of an expression of well-typed bools, ints, strings and lists, read from its text alone and by another way
 * than the parser's: the loosest operator outside of brackets splits the text, and each side is read in the same way.
 * Written from the published grammar.
 *
 * @returns  undefined where it has no value
 */
export function secondReading(text: string, names: Names): Value | undefined {
  const words = text.match(/'[^']*'|\w+|-\d+|&&|\|\||[=!<>]=|\.\.|[^\s]/g) ?? []
  const value = ofWords(words, names)
  return value === NONE ? undefined : value
}

function ofWords(words: readonly string[], names: Names): Found {
  for (const operator of ['||', '&&']) {
    const parts = split(words, operator)
    if (parts.length > 1) return ofChain(parts, operator === '&&', names)
  }
  if (words[0] === '!') return map(ofWords(words.slice(1), names), (value) => value !== true)
  const at = outside(words).findIndex((isOutside, index) => isOutside && COMPARED.has(words[index] ?? ''))
  if (at === -1) return ofPostfix(words, names)
  const left = ofPostfix(words.slice(0, at), names)
  const right = ofPostfix(words.slice(at + 1), names)
  if (left === NONE || right === NONE) return NONE
  return COMPARED.get(words[at] ?? '')?.(left, right) ?? NONE
}

const COMPARED: ReadonlyMap<string, (left: Value, right: Value) => boolean> = new Map([
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
  ['in', (a, b) => itemsOf(b).includes(a)],
])

function ofChain(parts: readonly (readonly string[])[], isAnd: boolean, names: Names): Found {
  const values = parts.map((part) => ofWords(part, names))
  if (values.includes(NONE)) return NONE
  return isAnd ? !values.includes(false) : values.includes(true)
}

/** What stands last is done last: `[…]`, `.name`, `.name(…)`; else it is a bracket, a list, a literal or a name. */
function ofPostfix(words: readonly string[], names: Names): Found {
  const last = words.at(-1) ?? ''
  const open = last === ')' || last === ']' ? openOf(words) : words.length - 1
  const inner = words.slice(open + 1, -1)
  if (last === ']' && open > 0) return ofSubscript(words.slice(0, open), inner, names)
  if (last === ']') return ofList(inner.length === 0 ? [] : split(inner, ','), names)
  if (last === ')' && open === 0) return ofWords(inner, names)
  const name = last === ')' ? open - 1 : open
  if (words[name - 1] === '.')
    return ofMember(words.slice(0, name - 1), words[name] ?? '', split(inner, ','), names)
  if (/^-?\d/.test(last)) return BigInt(last)
  if (last.startsWith("'")) return last.slice(1, -1)
  return last === 'true' || last === 'false' ? last === 'true' : (names.get(last) ?? NONE)
}

function ofList(items: readonly (readonly string[])[], names: Names): Found {
  const values = items.map((item) => ofWords(item, names))
  return values.every((value) => value !== NONE) ? values : NONE
}

function ofSubscript(of: readonly string[], inner: readonly string[], names: Names): Found {
  const value = ofPostfix(of, names)
  const bounds = split(inner, '..')
  const [from, to] = bounds.map((bound) => ofWords(bound, names))
  if (value === NONE || from === NONE || to === NONE) return NONE
  const items = itemsOf(value)
  if (to === undefined) return items[Number(from)] ?? NONE
  if (Number(to) > items.length) return NONE
  const part = items.slice(Number(from), Number(to))
  return typeof value === 'string' ? part.join('') : part
}

function ofMember(
  of: readonly string[],
  name: string,
  given: readonly (readonly string[])[],
  names: Names,
): Found {
  const list = map(ofPostfix(of, names), itemsOf)
  if (list === NONE) return NONE
  const items = itemsOf(list)
  if (name === 'count') return BigInt(items.length)
  const [variable = [], body = []] = given
  if (name === 'contains') return map(ofWords(variable, names), (item) => items.includes(item))
  const verdicts = items.map((item) => ofWords(body, new Map(names).set(variable[0] ?? '', item)))
  if (verdicts.includes(NONE)) return NONE
  if (name === 'filter') return items.filter((_, at) => verdicts[at] === true)
  return name === 'any' ? verdicts.includes(true) : !verdicts.includes(false)
}

function map(value: Found, make: (value: Value) => Value): Found {
  return value === NONE ? NONE : make(value)
}

function itemsOf(value: Value): readonly Value[] {
  if (typeof value === 'string') return Array.from(value)
  return Array.isArray(value) ? value : []
}

/** For each word whether it stands outside of all brackets, which themselves do not. */
function outside(words: readonly string[]): readonly boolean[] {
  let depth = 0
  return words.map((word) => {
    if ('(['.includes(word)) depth += 1
    const isOutside = depth === 0
    if (')]'.includes(word)) depth -= 1
    return isOutside
  })
}

function split(words: readonly string[], separator: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]]
  const isOutside = outside(words)
  for (const [at, word] of words.entries()) {
    if (word === separator && isOutside[at] === true) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

/** Of the bracket that the last word closes. */
function openOf(words: readonly string[]): number {
  let depth = 0
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] ?? ''
    if (')]'.includes(word)) depth += 1
    if ('(['.includes(word)) depth -= 1
    if (depth === 0) return at
  }
  return 0
}
