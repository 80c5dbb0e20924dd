import type { Curve } from '../crypto/curve.ts'
import type { PayloadRule } from './chain.ts'
import type { HashFunction } from './hash-function.ts'
import { chains } from './list.ts'

type RuleOfChain = PayloadRule & { readonly curve: Curve }

/** The rules that recognise transactions in bytes with this hash function, in the order in which they are tried. */
export function payloadRules(hashFunction: HashFunction): readonly RuleOfChain[] {
  return byHashFunction.get(hashFunction) ?? []
}

const byHashFunction: ReadonlyMap<string, readonly RuleOfChain[]> = Map.groupBy(
  chains.flatMap(({ payload, curve }) => (payload === undefined ? [] : [{ ...payload, curve }])),
  (rule) => rule.hashFunction,
)
