import { isFields, isList, Problem, textOf } from './values.ts'
import type { Value } from './types.ts'

/** A value as one would write it in the language, cut to what a reader can take in: `'0xAb'`, `[1, 2, …]`, `{to: 'x'}`. */
export function shown(value: Value): string {
  return shownAt(value, DEPTH)
}

const DEPTH = 4
const ITEMS_MAX = 16
const CHARACTERS_MAX = 256

function shownAt(value: Value | Problem | undefined, depth: number): string {
  if (value === undefined || value instanceof Problem) return '?'
  const text = textOf(value)
  if (text !== undefined) return `'${cut(text)}'`
  if (depth === 0) return '…'
  if (isList(value)) return `[${few(value.map((item) => () => shownAt(item, depth - 1)))}]`
  if (!isFields(value)) return cut(String(value))
  return `{${few(
    Object.entries(value).map(
      ([name, under]) =>
        () =>
          `${cut(name)}: ${shownAt(under, depth - 1)}`,
    ),
  )}}`
}

function few(items: readonly (() => string)[]): string {
  const told = items.slice(0, ITEMS_MAX).map((item) => item())
  return [...told, ...(items.length > ITEMS_MAX ? ['…'] : [])].join(', ')
}

function cut(text: string): string {
  return text.length <= CHARACTERS_MAX ? text : `${text.slice(0, CHARACTERS_MAX)}…`
}
