import { Failure } from '../../base/failure.ts'
import { check } from '../check.ts'
import { checkZones } from '../check-zones.ts'
import { checkParts } from '../expression.ts'
import { type Controls, parseWithControls } from '../controls.ts'
import { usageVocabulary } from '../meter.ts'
import { parse } from '../parse.ts'
import { consensusVocabulary } from '../people.ts'
import { timeVocabulary } from '../time.ts'
import { sizeOf, type Tree } from '../tree.ts'
import type { Vocabulary } from '../types.ts'
import {
  type LintedPolicy,
  type Part,
  PARTS,
  type ReadPolicy,
  type Remark,
  type SourceRange,
} from './finding.ts'

/** Reads a policy, with a remark for each part that cannot be read with this vocabulary. */
export function readPolicy(
  policy: LintedPolicy,
  vocabulary: Vocabulary,
): { readonly read: ReadPolicy; readonly remarks: readonly Remark[] } {
  const trees: { [part in Part]?: Tree } = {}
  const remarks: Remark[] = []
  const unreadable: Part[] = []
  for (const part of PARTS) {
    const text = policy[part]
    if (text === undefined || (part === 'time' && text === '')) continue
    try {
      trees[part] = readPart(part, text, vocabulary)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      unreadable.push(part)
      remarks.push(remarkOf(policy, part, text, error.message))
    }
  }
  return { read: { policy, trees, unreadable }, remarks }
}

function readPart(part: Part, text: string, vocabulary: Vocabulary): Tree {
  const tree = part === 'condition' ? parseWithControls(text, someControl) : parse(text)
  check(tree, vocabularyOf(part, vocabulary))
  checkZones(text)
  checkParts({ parts: sizeOf(tree) })
  return tree
}

/** A limit of which nothing is known, and which is not the same as that of another control. */
const someControl: Controls = (identifier) => `usage.count('1h', '${identifier}') <= 1`

function vocabularyOf(part: Part, vocabulary: Vocabulary): Vocabulary {
  if (part === 'condition') return { ...vocabulary, ...usageVocabulary }
  return part === 'consensus' ? consensusVocabulary : timeVocabulary
}

function remarkOf({ effect }: LintedPolicy, part: Part, text: string, message: string): Remark {
  const effects =
    effect === 'EFFECT_ALLOW'
      ? 'Stored so, the policy never allows.'
      : 'Stored so, the policy denies everything that its other parts do not rule out.'
  const place = placeIn(part, text, message)
  return {
    severity: 'danger',
    what: 'unreadable',
    why: `The ${part} cannot be read: ${message}. ${effects}`,
    ...(place === undefined ? {} : { place }),
  }
}

/** Messages about expressions end with the place. */
function placeIn(part: Part, text: string, message: string): SourceRange | undefined {
  const found = /(?:at )(\d+)(?::(\d+))?\)?$/.exec(message)
  if (found === null) return undefined
  const start = Number(found[1])
  const end = found[2] === undefined ? start : Number(found[2])
  return { part, start, end, text: text.slice(start, end) }
}
