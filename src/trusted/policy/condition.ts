import { check } from './check.ts'
import { type Controls, noControls, parseWithControls } from './controls.ts'
import { type Expression, expressionOf } from './expression.ts'
import { usageVocabulary } from './meter.ts'
import { canBe, evaluateAbstractly } from './lint/evaluate-abstractly.ts'
import type { AbstractFacts } from './lint/abstract-request.ts'
import { type Meter, metersOf } from './meters.ts'
import { grantsRawByName } from './raw-grant.ts'
import type { Budget } from './run.ts'
import { sizeOf, type Tree } from './tree.ts'
import type { Vocabulary } from './types.ts'

/** An expression over an activity, which also has its meters. */
export type Condition = Expression & {
  /** The number of characters that are read for it: its text, and the text of each control in it. */
  readonly characters: number
  readonly meters: readonly Meter[]
  /** Whether it grants raw signing by name. */
  readonly grantsRaw: boolean
  /**
   * Whether it could be true, when only these facts are known. False is certain. It takes a step of the budget for each
   * node that it looks at, and answers true when they are used up.
   */
  readonly couldHold: (facts: AbstractFacts, budget: Budget) => boolean
}

/** @throws Failure `expressionInvalid`, whose message names the place */
export function parseCondition(
  text: string,
  vocabulary: Vocabulary,
  controls: Controls = noControls,
): Condition {
  let characters = text.length
  const counted: Controls = (identifier) => {
    const meant = controls(identifier)
    characters += meant?.length ?? 0
    return meant
  }
  const tree = parseWithControls(text, counted)
  check(tree, { ...vocabulary, ...usageVocabulary })
  return {
    ...expressionOf(text, tree, () => parseWithControls(text, controls)),
    characters,
    meters: metersOf(tree),
    grantsRaw: grantsRawByName(tree),
    couldHold: couldHoldOf(tree),
  }
}

/** A chain of `&&` cannot be true when one of its parts cannot, and the shortest part often says what it is about. */
function couldHoldOf(tree: Tree): Condition['couldHold'] {
  const parts = (tree.kind === 'and' ? tree.parts : [tree])
    .map((part) => ({ part, size: sizeOf(part) }))
    .toSorted((a, b) => a.size - b.size)
  return (facts, budget) =>
    parts.every(({ part, size }) => {
      budget.steps -= size
      return budget.steps < 0 || canBe(true, evaluateAbstractly(part, facts))
    })
}
