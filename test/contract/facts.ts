import { vectors } from '../support/vectors.ts'
import { type PublishedSince, publishedSince } from './published-since.ts'

/** The published contract as a table: `test/vectors/facts/contract.json`, and what was published since. */
export type Contract = {
  readonly operations: readonly ContractOperation[]
  readonly activity: ContractFields
  readonly types: { readonly [name: string]: ContractFields }
  readonly enums: { readonly [name: string]: readonly string[] }
}

/** `type`: `string`, `boolean`, `int32`, or the name of a type or enum; `[]` behind it for a list. */
export type ContractFields = {
  readonly [field: string]: { readonly type: string; readonly required: boolean }
}

export type ContractOperation = {
  readonly operation: string
  readonly kind: 'submit' | 'query'
  readonly path: string
  readonly versions?: readonly ContractVersion[]
  readonly request?: ContractFields
  readonly response?: ContractFields
}

export type ContractVersion = {
  readonly type: string
  readonly intentKey: string
  /** null: the operation answers with the activity that it is about. */
  readonly resultKey: string | null
  readonly parameters: ContractFields
  readonly result: ContractFields | null
}

export const contract: Contract = publishedSince.reduce(withSince, vectors<Contract>('facts/contract.json'))

function withSince(before: Contract, { operations, types, enums, answers }: PublishedSince): Contract {
  const named = new Set(operations.map(({ operation }) => operation))
  const kept = before.operations.filter(({ operation }) => !named.has(operation))
  return {
    ...before,
    operations: [...kept.map((operation) => withAnswers(operation, answers)), ...operations],
    types: { ...before.types, ...mapped(types, (fields, name) => ({ ...before.types[name], ...fields })) },
    enums: {
      ...before.enums,
      ...mapped(enums, (values, name) => [...(before.enums[name] ?? []), ...values]),
    },
  }
}

function withAnswers(
  operation: ContractOperation,
  answers: PublishedSince['answers'] = {},
): ContractOperation {
  const { versions } = operation
  if (versions === undefined) return operation
  return { ...operation, versions: versions.map((version) => ({ ...version, ...answers[version.type] })) }
}

function mapped<T>(
  of: { readonly [name: string]: T },
  change: (item: T, name: string) => T,
): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one, name)]))
}
