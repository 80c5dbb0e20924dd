import type { Tree } from '../tree.ts'
import { placeOf, type Remark, type Rule } from './finding.ts'
import { canBe, evaluateAbstractly } from './evaluate-abstractly.ts'
import type { AbstractValue, AbstractFacts } from './abstract-request.ts'
import { pathOf, walk } from './walk.ts'

/**
 * A DENY policy that is skipped where its author would expect it to deny: `eth.tx.to != 'T'` says nothing of a request
 * that has no `eth.tx` at all. Looked for among the kinds of activity that it does deny, so that a rule about wallets
 * is not reported for every activity without one.
 */
export const denySkipped: Rule = (read, { abstractRequests }) => {
  const { condition } = read.trees
  if (read.policy.effect !== 'EFFECT_DENY' || condition === undefined) return []
  const kinds = new Set(
    abstractRequests
      .filter(({ facts }) => canBe(true, evaluateAbstractly(condition, facts)))
      .map(({ kind }) => kind),
  )
  const skipped = abstractRequests.filter(
    ({ kind, facts }) =>
      kinds.has(kind) &&
      evaluateAbstractly(condition, facts).value === undefined &&
      reads(true, condition, facts),
  )
  if (skipped.length === 0) return []
  const names = skipped.map(({ name }) => name)
  const told = [...names.slice(0, NAMES_MAX), ...(names.length > NAMES_MAX ? ['…'] : [])].join('; ')
  return [
    {
      severity: 'warning',
      what: 'denySkipped',
      why: `Where a request lacks a field that the policy names (${told}), the policy is skipped: it denies only where another part of its condition fails. Name the requests that it is about, and deny the others in a policy of their own, or allow only requests that have the field.`,
      place: placeOf(read, 'condition', condition.span),
    },
  ]
}

const NAMES_MAX = 3

/** A DENY policy that names a field which a request of its kind may lack. */
export const denyMayBeSkipped: Rule = (read, { abstractRequests }) => {
  const { condition } = read.trees
  if (read.policy.effect !== 'EFFECT_DENY' || condition === undefined) return []
  const about = abstractRequests.filter(({ facts }) => canBe(true, evaluateAbstractly(condition, facts)))
  const remarks = new Map<string, Remark>()
  for (const visited of walk(condition)) {
    const path = pathOf(visited)
    const lacks = path && about.map(({ facts }) => lacksAt(facts, path)).find((item) => item !== undefined)
    const name = path?.join('.') ?? ''
    if (lacks === undefined || remarks.has(name)) continue
    remarks.set(name, {
      severity: 'warning',
      what: 'denyMayBeSkipped',
      why: `A request has no \`${name}\` ${lacks}. Where the condition then asks for it, the policy is skipped: it denies only where another part of its condition fails.`,
      place: placeOf(read, 'condition', visited.tree.span),
    })
  }
  return [...remarks.values()]
}

/** The value for a reader who takes a comparison with a missing value for false, and `!=` with one for true. */
function reads(wanted: boolean, tree: Tree, facts: AbstractFacts): boolean {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return wanted === (tree.kind === 'and')
        ? tree.parts.every((part) => reads(wanted, part, facts))
        : tree.parts.some((part) => reads(wanted, part, facts))
    case 'not':
      return reads(!wanted, tree.operand, facts)
    default: {
      const outlook = evaluateAbstractly(tree, facts)
      if (outlook.value !== undefined) return canBe(wanted, outlook)
      return wanted === (tree.kind === 'comparison' && tree.operator === '!=')
    }
  }
}

function lacksAt(facts: AbstractFacts, [name = '', ...rest]: readonly string[]): string | undefined {
  const abstractValue: AbstractValue | undefined = Object.hasOwn(facts, name) ? facts[name] : undefined
  if (abstractValue?.kind === 'fields') return lacksAt(abstractValue.fields, rest)
  return abstractValue?.kind === 'anything' && rest.length === 0 ? abstractValue.lacks : undefined
}
