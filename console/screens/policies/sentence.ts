import { networkOf } from '../../../src/host/approval/chains/evm-networks.ts'
import { Failure } from '../../../src/trusted/base/failure.ts'
import { parse } from '../../../src/trusted/policy/parse.ts'
import { print } from '../../../src/trusted/policy/print.ts'
import type { Tree } from '../../../src/trusted/policy/tree.ts'
import { type Pinned, pinnedBy } from '../../parts/pinned.ts'
import { amountIn, unitOf, unitOfSum } from '../../parts/unit-of.ts'
import { isolated } from '../../words/define-words.ts'
import { language } from '../../words/language.ts'
import { called, shortId } from '../../words/plain-text.ts'
import { say } from './words.ts'

/** What an id stands for, as the service names it: a user, a tag, a wallet, a private key. */
export type Names = ReadonlyMap<string, string>

type Terms = {
  readonly effect: string
  readonly condition: string
  readonly consensus: string
  readonly time: string
}

/** A policy in a plain sentence. It says what the text says: a part that has no words stands in it as it is written. */
export function sentenceOf({ effect, condition, consensus, time }: Terms, names: Names): string {
  const parts = [
    filled(effect === 'EFFECT_DENY' ? 'denies' : 'allows', { what: inWords(condition, 'anything', names) }),
    ...(consensus === '' ? [] : [filled('provided', { what: inWords(consensus, 'anybody', names) })]),
    ...(time === '' ? [] : [filled('at', { what: inWords(time, 'always', names) })]),
  ]
  return `${parts.join(', ')}.`
}

function inWords(text: string, nothing: 'anything' | 'anybody' | 'always', names: Names): string {
  if (text === '') return filled(nothing)
  try {
    const tree = parse(text)
    return wordsOf(tree, { names, pinned: pinnedBy(tree) })
  } catch (error) {
    if (error instanceof Failure) return isolated(text)
    throw error
  }
}

/** What the whole text says about what stands in it. */
type Context = { readonly names: Names; readonly pinned: Pinned }

function wordsOf(tree: Tree, context: Context): string {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.parts.map((part) => enclosed(part, context)).join(` ${filled(tree.kind)} `)
    case 'not':
      return filled('not', { what: enclosed(tree.operand, context) })
    case 'comparison':
      return filled(comparisons[tree.operator], {
        a: valueOf(tree.left, context, tree.right),
        b: valueOf(tree.right, context, tree.left),
      })
    case 'member':
      return tree.list.kind === 'list'
        ? filled('oneOf', {
            a: valueOf(tree.item, context),
            b: tree.list.items.map((item) => valueOf(item, context, tree.item)).join(', '),
          })
        : filled('in', { a: valueOf(tree.item, context), b: valueOf(tree.list, context) })
    case 'any': {
      const who = approversOf(tree, context)
      return who === undefined ? valueOf(tree, context) : filled(who.kind, { who: who.name })
    }
    default:
      return valueOf(tree, context)
  }
}

/** Of `approvers.any(u, u.id == '…')` and `approvers.any(u, u.tags.contains('…'))`, whatever the variable is called. */
function approversOf({ of, variable, body }: Chosen, context: Context) {
  if (print(of) !== 'approvers') return undefined
  if (body.kind === 'comparison' && body.operator === '==' && print(body.left) === `${variable}.id`)
    return named('userApproves', body.right, context)
  return body.kind === 'member' && print(body.list) === `${variable}.tags`
    ? named('tagApproves', body.item, context)
    : undefined
}

type Chosen = Extract<Tree, { kind: 'any' | 'all' | 'filter' }>

function named(kind: 'userApproves' | 'tagApproves', tree: Tree, context: Context) {
  return tree.kind === 'literal' ? { kind, name: valueOf(tree, context) } : undefined
}

/** A denial too: without an end it would take in what follows it. */
function enclosed(tree: Tree, context: Context): string {
  const words = wordsOf(tree, context)
  return ['and', 'or', 'not'].includes(tree.kind) ? `(${words})` : words
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

/**
 * What the fields named most often are called, ids by their names, and amounts in their unit; anything else stands as
 * it is written.
 *
 * @param beside  what it is compared with
 */
function valueOf(tree: Tree, context: Context, beside?: Tree): string {
  const text = print(tree)
  if (tree.kind === 'usage') {
    const by = tree.by.map((one) => valueOf(one, context)).join(', ')
    const counted = tree.amount === undefined ? filled('requests') : valueOf(tree.amount, context)
    return filled(by === '' ? 'used' : 'usedBy', { what: counted, window: isolated(tree.window), by })
  }
  if (tree.kind === 'count' && tree.of.kind === 'filter') {
    const who = approversOf(tree.of, context)
    if (who?.kind === 'tagApproves') return filled('tagCount', { who: who.name })
  }
  if (tree.kind === 'literal') return isolated(literalOf(tree.value, context, beside) ?? text)
  return Object.hasOwn(NAMES, text) ? filled(NAMES[text] ?? 'kind') : isolated(text)
}

function literalOf(
  value: boolean | bigint | string,
  { names, pinned }: Context,
  beside: Tree | undefined,
): string | undefined {
  if (typeof value === 'string') {
    const name = names.get(value)
    // Whatever else the service has given a name stays what it is.
    return name === undefined || shortId(value) === '' ? undefined : called(name, value)
  }
  if (typeof value !== 'bigint' || beside === undefined) return undefined
  const text = print(beside)
  if (text === 'eth.tx.chain_id') return networkOf(value).name
  const summed = beside.kind === 'usage' ? beside.amount : undefined
  const unit = summed === undefined ? unitOf(text, pinned) : unitOfSum(print(summed))
  return unit === undefined ? undefined : amountIn(unit, value)
}

const NAMES: { readonly [text: string]: Parameters<typeof say>[0] | undefined } = {
  'activity.kind': 'kind',
  'activity.action': 'action',
  'activity.resource': 'resource',
  'approvers.count()': 'approvers',
  'usage.user': 'asker',
  'wallet.id': 'wallet',
  'private_key.id': 'privateKey',
  'eth.tx.chain_id': 'chain',
  'eth.tx.value': 'amount',
  'eth.tx.to': 'destination',
  'eth.tx.gas': 'gas',
  'eth.tx.gas_price': 'gasPrice',
}
