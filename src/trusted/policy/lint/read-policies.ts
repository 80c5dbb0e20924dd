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
      const tree = readPart(part, text, vocabulary)
      trees[part] = tree
      checkParts({ parts: sizeOf(tree) })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const isRead = trees[part] !== undefined
      if (!isRead) unreadable.push(part)
      const effect = policy.effect === 'EFFECT_ALLOW' ? 'never allows' : `denies ${DENIED[part]}`
      const why = isRead
        ? `${error.message}. A stored one decides as ever.`
        : `The ${part} cannot be read: ${error.message}. Stored so, the policy ${effect}.`
      remarks.push(remarkOf(part, text, error.message, why))
    }
  }
  return { read: { policy, trees, unreadable }, remarks }
}

function readPart(part: Part, text: string, vocabulary: Vocabulary): Tree {
  const tree = part === 'condition' ? parseWithControls(text, someControl) : parse(text)
  check(tree, vocabularyOf(part, vocabulary))
  checkZones(text)
  return tree
}

/** A limit of which nothing is known, and which is not the same as that of another control. */
const someControl: Controls = (identifier) => `usage.count('1h', '${identifier}') <= 1`

function vocabularyOf(part: Part, vocabulary: Vocabulary): Vocabulary {
  if (part === 'condition') return { ...vocabulary, ...usageVocabulary }
  return part === 'consensus' ? consensusVocabulary : timeVocabulary
}

/** What a DENY policy denies with a part that cannot be read: each part is asked where those before it are true. */
const DENIED: { readonly [part in Part]: string } = {
  condition: 'every activity while it is active, with any approvers',
  consensus: 'every activity that its condition is true of while it is active, with any approvers',
  time: 'every activity that its other parts are true of',
}

function remarkOf(part: Part, text: string, message: string, why: string): Remark {
  const place = placeIn(part, text, message)
  return {
    severity: 'danger',
    what: 'unreadable',
    why,
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
