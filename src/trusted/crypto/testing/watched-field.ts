import type { IField } from '@noble/curves/abstract/modular.js'

type Watched = Pick<IField<bigint>, 'mul' | 'add' | 'inv' | 'invertBatch' | 'neg'>

/** A field that records its inputs: the pairs that are multiplied, and the inputs of all other operations. */
export function watchedField(Fn: IField<bigint>) {
  const products: (readonly [bigint, bigint])[] = []
  const others: bigint[] = []
  const watching: Watched = {
    mul: (a, b) => {
      products.push([a, BigInt(b)])
      return Fn.mul(a, b)
    },
    add: (a, b) => {
      others.push(a, b)
      return Fn.add(a, b)
    },
    inv: (a) => {
      others.push(a)
      return Fn.inv(a)
    },
    invertBatch: (all) => {
      others.push(...all)
      return Fn.invertBatch(all)
    },
    neg: (a) => {
      others.push(a)
      return Fn.neg(a)
    },
  }
  // The field and its prototype are frozen.
  const named = Object.entries(watching).map(([name, value]) => [name, { value }])
  const watched = Object.create(Fn, Object.fromEntries(named)) as IField<bigint>
  return { watched, products, others }
}
