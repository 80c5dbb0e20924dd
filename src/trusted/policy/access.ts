import { Caseless, caseless } from '../base/caseless.ts'
import { both, failed, one, outOfSteps, type Run, spend, textCost } from './run.ts'
import { sliceText } from './text.ts'
import type { Tree } from './tree.ts'
import type { Value } from './types.ts'
import { isFields, isList, own, textOf } from './values.ts'
import { Problem } from './problem.ts'

/** @param names  the variables of the list functions around, outermost first */
export function compileName(tree: Tree, name: string, names: readonly string[]): Run {
  const slot = names.lastIndexOf(name)
  if (slot === -1) {
    const missing = new Problem('missing', `this activity has no ${name}`, tree.span)
    return ({ facts }) => own(facts, name) ?? missing
  }
  const unbound = failed(tree, 'a variable without a value')
  return ({ variables }) => variables[slot] ?? unbound
}

/**
 * A field that a keyword does not have is missing: whether it is there follows from the kind of activity. A field that
 * an item of a list does not have is a failure: the submitter of the activity chooses the items, and could otherwise
 * switch off a DENY policy by adding one.
 *
 * @param ofKeyword  whether it is a field of a keyword, or of a field of one
 */
export function compileField(tree: Tree, name: string, of: Run, ofKeyword: boolean): Run {
  const kind = ofKeyword ? 'missing' : 'failed'
  const missing = new Problem(kind, `no field ${name} here`, tree.span)
  const noStruct = failed(tree, 'not a struct')
  return one(of, (value) => (isFields(value) ? (own(value, name) ?? missing) : noStruct))
}

export function compileIndex(tree: Tree, of: Run, index: Run): Run {
  const outOfRange = failed(tree, 'index out of range')
  const noKey = failed(tree, 'no value under this key')
  const exhausted = outOfSteps(tree)
  return both(of, index, (value, key, frame) => {
    if (isFields(value)) {
      const name = textOf(key)
      return (name === undefined ? undefined : own(value, name)) ?? noKey
    }
    const at = indexOf(key)
    if (at === undefined) return outOfRange
    if (isList(value)) return value[at] ?? outOfRange
    const text = textOf(value)
    if (text === undefined) return outOfRange
    return spend(frame, textCost(text, at)) ? (partOf(value, text, at, at + 1) ?? outOfRange) : exhausted
  })
}

/** A part of a text whose case does not count is another such text. */
function partOf(value: Value, text: string, from: number, to: number): Value | undefined {
  const part = sliceText(text, from, to)
  return part !== undefined && value instanceof Caseless ? caseless(part) : part
}

/** Undefined for an index that is certainly out of range, such as a number that only a bigint can hold. */
function indexOf(key: Value): number | undefined {
  return typeof key === 'bigint' && key >= 0n && key < 2n ** 32n ? Number(key) : undefined
}

export function compileSlice(tree: Tree, of: Run, from: bigint, to: bigint): Run {
  const outOfRange = failed(tree, 'slice out of range')
  const exhausted = outOfSteps(tree)
  const start = indexOf(from)
  const end = indexOf(to)
  return one(of, (value, frame) => {
    if (start === undefined || end === undefined) return outOfRange
    const text = textOf(value)
    if (text !== undefined) {
      return spend(frame, textCost(text, end)) ? (partOf(value, text, start, end) ?? outOfRange) : exhausted
    }
    if (!isList(value) || end > value.length) return outOfRange
    return spend(frame, end - start) ? value.slice(start, end) : exhausted
  })
}
