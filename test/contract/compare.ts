import type { JsonSchema } from '../../src/trusted/catalogue/shape.ts'
import type { Contract, ContractFields } from './facts.ts'

/**
 * How a shape of ours differs from the published one: a line for each difference, empty when there is none. In a
 * request everything published must be readable and nothing more demanded; in an answer everything published must be
 * there.
 */
export function differences(
  contract: Pick<Contract, 'types' | 'enums'>,
  side: 'request' | 'answer',
  ours: JsonSchema,
  published: ContractFields,
  at: string,
): readonly string[] {
  const properties = (ours['properties'] ?? {}) as { readonly [name: string]: JsonSchema } // as `object()` writes it
  const required = (ours['required'] ?? []) as readonly string[] // as `object()` writes it
  const surplus = Object.keys(properties)
    .filter((name) => !Object.hasOwn(published, name))
    .map((name) => `${at}.${name}: ours alone`)
  const others = Object.entries(published).flatMap(([name, { type, required: isRequired }]) => {
    const schema = properties[name]
    const path = `${at}.${name}`
    if (schema === undefined) return [`${path}: missing`]
    const isOurs = required.includes(name)
    return [
      ...(isOurs === isRequired || (side === 'answer' && isOurs)
        ? []
        : [`${path}: ${isRequired ? 'required, ours optional' : 'optional, ours required'}`]),
      ...valueDifferences(contract, side, schema, type, path),
    ]
  })
  return [...surplus, ...others]
}

function valueDifferences(
  contract: Pick<Contract, 'types' | 'enums'>,
  side: 'request' | 'answer',
  ours: JsonSchema,
  type: string,
  at: string,
): readonly string[] {
  if (type.endsWith('[]')) {
    if (ours['type'] !== 'array') return [`${at}: a list, ours ${String(ours['type'])}`]
    const items = ours['items'] as JsonSchema // as `list()` writes it
    return valueDifferences(contract, side, items, type.slice(0, -2), `${at}[]`)
  }
  if (type === 'Activity') return [] // its parts differ by operation: records.test.ts looks at real ones
  const fields = contract.types[type]
  if (fields !== undefined) {
    if (ours['type'] !== 'object') return [`${at}: an object, ours ${String(ours['type'])}`]
    return differences(contract, side, ours, fields, at)
  }
  const values = contract.enums[type] ?? literals(type)
  if (values !== undefined) return enumDifferences(side, ours, values, at)
  const expected = {
    string: 'string',
    'string(uint64)': 'string',
    boolean: 'boolean',
    int32: 'integer',
    int64: 'integer',
  }[type]
  if (expected === undefined) return [`${at}: ${type} is none of the contract's types`]
  const choices = (ours['anyOf'] ?? [ours]) as readonly JsonSchema[] // as the contacts of users have it
  return choices.every((choice) => choice['type'] === expected)
    ? []
    : [`${at}: ${type}, ours ${String(ours['type'])}`]
}

/** `'public-key'`, or `'cross-platform | platform'`: texts that the contract has no name for. */
function literals(type: string): readonly string[] | undefined {
  return /[ |-]/.test(type) ? type.split(' | ') : undefined
}

function enumDifferences(
  side: 'request' | 'answer',
  ours: JsonSchema,
  values: readonly string[],
  at: string,
): readonly string[] {
  // What is ours stands beside what is published, in a list of its own.
  const [beside] = (ours['anyOf'] ?? []) as readonly JsonSchema[] // as `featureName` has it
  if (beside !== undefined) return enumDifferences(side, beside, values, at)
  if (ours['type'] !== 'string') return [`${at}: an enum, ours ${String(ours['type'])}`]
  const known = ours['enum'] as readonly string[] | undefined // as `oneOf()` writes it
  if (known === undefined) return side === 'request' ? [`${at}: an enum, ours any text`] : []
  const missing = side === 'request' ? values.filter((value) => !known.includes(value)) : []
  const surplus = known.filter((value) => !values.includes(value))
  return [
    ...missing.map((value) => `${at}: ${value} missing`),
    ...surplus.map((value) => `${at}: ${value} ours alone`),
  ]
}
