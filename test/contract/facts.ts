import { existsSync, readFileSync } from 'node:fs'

/** The published contract as a table: `../shared/facts/contract.json`, where it is. */
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

const file = new URL('../../../shared/facts/contract.json', import.meta.url)

export const contract: Contract | undefined = existsSync(file)
  ? // The file is what the type above says; the tests would not hold otherwise.
    (JSON.parse(readFileSync(file, 'utf8')) as Contract)
  : undefined

const OPERATIONS = 172

export const contractMissing: string | false =
  contract === undefined ? `${OPERATIONS} cases not run: ../shared/facts/contract.json is not there` : false
