import { vectors } from '../support/vectors.ts'

/** The published contract as a table: `test/vectors/facts/contract.json`. */
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

export const contract = vectors<Contract>('facts/contract.json')
