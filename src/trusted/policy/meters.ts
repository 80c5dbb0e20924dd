import { compileUseOf } from './compile.ts'
import { meterKey, meterText, type UsageTree, type Use } from './meter.ts'
import type { Budget } from './run.ts'
import { children, type Tree } from './tree.ts'
import type { Facts } from './types.ts'
import type { Problem } from './problem.ts'

/** Something that a condition has counted: a sum or a number of activities, over a window that ends now. */
export type Meter = {
  readonly key: string
  /**
   * Function, amount and the expressions by which it is counted, such as `sum(eth.tx.value, wallet_account.address)`.
   */
  readonly text: string
  readonly windowMs: number
  /** The use of an activity; a problem when it has no such amount or no such string, and so uses nothing. */
  readonly use: (facts: Facts, budget: Budget) => Use | Problem
}

/** The meters that a checked expression asks, each once. */
export function metersOf(tree: Tree): readonly Meter[] {
  const own = tree.kind === 'usage' ? [meterOf(tree)] : []
  return distinctMeters([...own, ...children(tree).flatMap(metersOf)])
}

/** Several conditions may ask the same meter, and it counts once. */
export function distinctMeters(meters: readonly Meter[]): readonly Meter[] {
  return meters.length < 2 ? meters : [...new Map(meters.map((meter) => [meter.key, meter])).values()]
}

function meterOf(tree: UsageTree): Meter {
  const { windowMs } = tree
  return { key: meterKey(tree), text: meterText(tree), windowMs, use: compileUseOf(tree) }
}
