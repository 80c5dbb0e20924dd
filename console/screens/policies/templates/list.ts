import { gasOfADay, isPayment } from './coins.ts'
import { type Field, type Filled, Mistaken, READ, type Source } from './read-field.ts'

/** A policy that a template makes. */
export type Made = {
  readonly effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  readonly condition: string
  readonly consensus?: string
}

/** What was typed and chosen. */
export type Typed = { readonly [field in Field]?: string }

/** What a template makes of it: policies, or what is wrong with which field. */
type Result =
  | { readonly kind: 'policies'; readonly policies: readonly Made[] }
  | { readonly kind: 'mistakes'; readonly mistakes: { readonly [field in Field]?: Mistaken } }

export type Template = {
  readonly name: 'transfers' | 'addresses' | 'agent' | 'exports' | 'policyChanges'
  readonly fields: readonly Field[]
  readonly made: (typed: Typed) => Result
}

function template<const Asked extends Field = never>(
  name: Template['name'],
  fields: readonly Asked[],
  policies: (filled: Pick<Filled, Asked>) => readonly Made[],
): Template {
  return { name, fields, made: (typed) => resultOf(fields, typed, policies) }
}

function resultOf<Asked extends Field>(
  fields: readonly Asked[],
  typed: Typed,
  policies: (filled: Pick<Filled, Asked>) => readonly Made[],
): Result {
  const filled: { [field in Field]?: unknown } = {}
  const mistakes: { [field in Field]?: Mistaken } = {}
  for (const field of fields)
    try {
      filled[field] = READ[field](typed[field] ?? '')
    } catch (error) {
      if (!(error instanceof Mistaken)) throw error
      mistakes[field] = error
    }
  if (Object.keys(mistakes).length > 0) return { kind: 'mistakes', mistakes }
  // Each field was read by its own reader.
  return { kind: 'policies', policies: policies(filled as Pick<Filled, Asked>) }
}

/**
 * What organizations need most. Each is said in words, filled in by name, and judged by the service in
 * `test/console/templates.test.ts`.
 */
export const TEMPLATES: readonly Template[] = [
  template('transfers', ['source', 'coin', 'amount', 'tagId'], ({ source, coin, amount, tagId }) => {
    const payment = ["activity.kind == 'SIGN_TRANSACTION'", isWith(source), ...isPayment(coin)]
    return [
      {
        effect: 'EFFECT_ALLOW',
        condition: all([...payment, `eth.tx.value <= ${amount}`]),
        consensus: approvedBy(tagId, 1),
      },
      {
        effect: 'EFFECT_ALLOW',
        condition: all([...payment, `eth.tx.value > ${amount}`]),
        consensus: approvedBy(tagId, 2),
      },
    ]
  }),
  template('addresses', ['source', 'coin', 'addresses'], ({ source, coin, addresses }) => {
    const to = `eth.tx.to in [${addresses.map((address) => `'${address}'`).join(', ')}]`
    const transaction = ["activity.kind == 'SIGN_TRANSACTION'", isWith(source)]
    // A condition has no value where it names what a request does not have, so that each way around is a policy of its
    // own.
    return [
      { effect: 'EFFECT_DENY', condition: all([...transaction, `!(${all([...isPayment(coin), to])})`]) },
      {
        effect: 'EFFECT_DENY',
        condition: all([...transaction, "activity.params.type != 'TRANSACTION_TYPE_ETHEREUM'"]),
      },
      {
        effect: 'EFFECT_DENY',
        condition: all(["activity.action == 'SIGN'", isWith(source), "activity.kind != 'SIGN_TRANSACTION'"]),
      },
      // An exported key pays anybody.
      { effect: 'EFFECT_DENY', condition: all(["activity.action == 'EXPORT'", isWith(source)]) },
    ]
  }),
  template('agent', ['userId', 'source', 'coin', 'amount'], ({ userId, source, coin, amount }) => [
    {
      effect: 'EFFECT_ALLOW',
      condition: all([
        `usage.user == '${userId}'`,
        "activity.kind == 'SIGN_TRANSACTION'",
        isWith(source),
        ...isPayment(coin),
        `usage.sum(eth.tx.value, '24h', usage.user) <= ${amount}`,
        `usage.sum(eth.tx.gas, '24h', usage.user) <= ${gasOfADay(coin, amount)}`,
      ]),
      consensus: `approvers.any(u, u.id == '${userId}')`,
    },
  ]),
  template('exports', [], () => [{ effect: 'EFFECT_DENY', condition: "activity.action == 'EXPORT'" }]),
  template('policyChanges', ['tagId', 'needed'], ({ tagId, needed }) => [
    {
      effect: 'EFFECT_ALLOW',
      condition: "activity.resource == 'POLICY'",
      consensus: approvedBy(tagId, needed),
    },
  ]),
]

function all(parts: readonly string[]): string {
  return parts.join(' && ')
}

/** An export shows the wallet or key as a signature does. */
function isWith({ kind, id }: Source): string {
  return `${kind}.id == '${id}'`
}

function approvedBy(tagId: string, needed: number): string {
  return needed === 1
    ? `approvers.any(u, u.tags.contains('${tagId}'))`
    : `approvers.filter(u, u.tags.contains('${tagId}')).count() >= ${needed}`
}
