import { Caseless } from '../base/caseless.ts'
import { isInRange } from './limits.ts'
import { plainTextCost, textCost } from './run.ts'
import { sameButForCase } from './text.ts'
import type { ComparisonOperator } from './tree.ts'
import type { Value } from './types.ts'
import { textOf } from './values.ts'

/**
 * Compares two values of one scalar type. Undefined when they are not, and for an int that is out of range: a fact may
 * be larger than the language can compare.
 */
export function compare(operator: ComparisonOperator, left: Value, right: Value): boolean | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint') return compareInts(operator, left, right)
  if (operator !== '==' && operator !== '!=') return undefined
  const same = isSame(left, right)
  return same === undefined ? undefined : same === (operator === '==')
}

/**
 * Steps that comparing takes beyond the node itself, where the lengths are the same: texts whose case does not count
 * are read letter by letter, plain ones by the word.
 */
export function comparisonCost(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string')
    return left.length === right.length ? plainTextCost(left) : 0
  if (typeof left !== 'object' && typeof right !== 'object') return 0
  const [a, b] = [textOf(left), textOf(right)]
  return a === undefined || b === undefined || a.length !== b.length ? 0 : textCost(a, b.length)
}

function compareInts(operator: ComparisonOperator, left: bigint, right: bigint): boolean | undefined {
  if (!isInRange(left) || !isInRange(right)) return undefined
  switch (operator) {
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}

function isSame(left: Value, right: Value): boolean | undefined {
  if (typeof left !== 'object' && typeof right !== 'object') {
    return typeof left === typeof right ? left === right : undefined
  }
  // One of them that does not care about case is enough: an address that a policy writes is a plain string.
  const isCaseless = left instanceof Caseless || right instanceof Caseless
  const [a, b] = [textOf(left), textOf(right)]
  return isCaseless && a !== undefined && b !== undefined ? sameButForCase(a, b) : undefined
}
