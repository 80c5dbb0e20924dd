import { isInt128 } from './limits.ts'
import type { ComparisonOperator } from './tree.ts'
import type { Value } from './types.ts'

/**
 * Compares two values of one scalar type. Undefined when they are not, and for an int beyond 128 bits: a fact may be
 * larger than the language can compare.
 */
export function compare(operator: ComparisonOperator, left: Value, right: Value): boolean | undefined {
  if (typeof left === 'bigint' && typeof right === 'bigint') return compareInts(operator, left, right)
  const comparable = typeof left === typeof right && typeof left !== 'object'
  if (!comparable) return undefined
  switch (operator) {
    case '==':
      return left === right
    case '!=':
      return left !== right
    default:
      return undefined
  }
}

function compareInts(operator: ComparisonOperator, left: bigint, right: bigint): boolean | undefined {
  if (!isInt128(left) || !isInt128(right)) return undefined
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
