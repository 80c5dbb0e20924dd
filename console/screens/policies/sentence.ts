import { Failure } from '../../../src/trusted/base/failure.ts'
import { parse } from '../../../src/trusted/policy/parse.ts'
import { print } from '../../../src/trusted/policy/print.ts'
import type { Tree } from '../../../src/trusted/policy/tree.ts'
import { language } from '../../words/language.ts'
import { plainText } from '../../words/plain-text.ts'
import { say } from './words.ts'

type Terms = {
  readonly effect: string
  readonly condition: string
  readonly consensus: string
  readonly time: string
}

/** A policy in a plain sentence. It says what the text says: a part that has no words stands in it as it is written. */
export function sentenceOf({ effect, condition, consensus, time }: Terms): string {
  const parts = [
    filled(effect === 'EFFECT_DENY' ? 'denies' : 'allows', { what: inWords(condition, 'anything') }),
    ...(consensus === '' ? [] : [filled('provided', { what: inWords(consensus, 'anybody') })]),
    ...(time === '' ? [] : [filled('at', { what: inWords(time, 'always') })]),
  ]
  return `${parts.join(', ')}.`
}

function inWords(text: string, nothing: 'anything' | 'anybody' | 'always'): string {
  if (text === '') return filled(nothing)
  try {
    return wordsOf(parse(text))
  } catch (error) {
    if (error instanceof Failure) return leaf(text)
    throw error
  }
}

function wordsOf(tree: Tree): string {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.parts.map((part) => enclosed(part)).join(` ${filled(tree.kind)} `)
    case 'not':
      return filled('not', { what: enclosed(tree.operand) })
    case 'comparison':
      return filled(comparisons[tree.operator], { a: valueOf(tree.left), b: valueOf(tree.right) })
    case 'member':
      return tree.list.kind === 'list'
        ? filled('oneOf', { a: valueOf(tree.item), b: tree.list.items.map(valueOf).join(', ') })
        : filled('in', { a: valueOf(tree.item), b: valueOf(tree.list) })
    default:
      return valueOf(tree)
  }
}

function enclosed(tree: Tree): string {
  return tree.kind === 'and' || tree.kind === 'or' ? `(${wordsOf(tree)})` : wordsOf(tree)
}

const comparisons = {
  '==': 'is',
  '!=': 'isNot',
  '<': 'less',
  '<=': 'atMost',
  '>': 'more',
  '>=': 'atLeast',
} as const

/** The words with these parts in them, which are words already, or leaves that stand apart. */
function filled(key: Parameters<typeof say>[0], parts: { readonly [name: string]: string } = {}): string {
  return say.texts[language()][key].replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
}

/** A text of the policy: it turns neither its own letters nor those around it. */
function leaf(text: string): string {
  return `\u2068${plainText(text)}\u2069`
}

/** What the field names most often are called; anything else stands as it is written. */
function valueOf(tree: Tree): string {
  const text = print(tree)
  if (tree.kind === 'usage') {
    const by = tree.by.map(valueOf).join(', ')
    const counted = tree.amount === undefined ? filled('requests') : valueOf(tree.amount)
    return filled(by === '' ? 'used' : 'usedBy', { what: counted, window: leaf(tree.window), by })
  }
  return Object.hasOwn(NAMES, text) ? filled(NAMES[text] ?? 'kind') : leaf(text)
}

const NAMES: { readonly [text: string]: 'kind' | 'action' | 'resource' | 'approvers' | undefined } = {
  'activity.kind': 'kind',
  'activity.action': 'action',
  'activity.resource': 'resource',
  'approvers.count()': 'approvers',
}
