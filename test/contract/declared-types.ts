import { readFileSync } from 'node:fs'
import { present } from '../../src/trusted/base/assert.ts'
import type { Contract, ContractFields } from './facts.ts'

/** What the installed `@turnkey/http` declares, in the form of the contract: its requests, answers, types and enums. */
type Declared = Pick<Contract, 'types' | 'enums'> & {
  /** Undefined for an activity that this client does not know. */
  readonly fieldsOf: (name: string) => ContractFields | undefined
  /** Undefined for a query that this client does not know. */
  readonly query: (
    operation: string,
  ) => { readonly request: ContractFields; readonly response: ContractFields } | undefined
}

const FILE = './__generated__/services/coordinator/public/v1/public_api.types.d.ts'

export function declaredTypes(): Declared {
  const text = readFileSync(new URL(FILE, import.meta.resolve('@turnkey/http')), 'utf8')
    .replaceAll(/\/\*\*[^]*?\*\//g, '')
    .replaceAll(/definitions\["([\w.]+)"\]/g, '$1')
    .replaceAll(/\bv1Activity\b/g, 'Activity')
  const matches = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...parts]) => parts)
  const types = Object.fromEntries(
    matches(/^ {4}(\w+): \{\n([^]*?)^ {4}\};/gm).map(([name = '', body = '']) => [name, fieldsIn(body)]),
  )
  const enums = Object.fromEntries(
    matches(/^ {4}(\w+): ("[^;]*);/gm).map(([name = '', values = '']) => [name, literalsIn(values)]),
  )
  const operations = new Map(
    matches(/"\/public\/v1\/query\/(\w+)": \{[^]*?operations\["(\w+)"\]/g).map(([path, name]) => [
      path,
      name,
    ]),
  )
  const fieldsOf: Declared['fieldsOf'] = (name) => types[`v1${name}`] ?? types[`apiv1${name}`]
  return {
    types,
    enums,
    fieldsOf,
    query: (operation) => {
      const name = operations.get(operation)
      if (name === undefined) return undefined
      const [, body = ''] = new RegExp(`^ {4}${name}: \\{\\n([^]*?)^ {4}\\};`, 'm').exec(text) ?? []
      const [, request = ''] = /body: (\w+);/.exec(body) ?? []
      const [, response = ''] = /schema: (\w+);/.exec(body) ?? []
      return { request: present(types[request], operation), response: present(types[response], operation) }
    },
  }
}

function fieldsIn(body: string): ContractFields {
  const fields = [...body.matchAll(/^ {8}(\w+)(\??): (.*);$/gm)]
  return Object.fromEntries(
    fields.map(([, name = '', mark, type = '']) => [
      name,
      { type: type.startsWith('"') ? literalsIn(type).join(' | ') : numbered(type), required: mark === '' },
    ]),
  )
}

/** The declaration does not tell whole numbers of 32 bits and of 64 apart. */
function numbered(type: string): string {
  return type === 'number' ? 'int32' : type
}

function literalsIn(union: string): readonly string[] {
  return [...union.matchAll(/"([^"]*)"/g)].map(([, value = '']) => value)
}
