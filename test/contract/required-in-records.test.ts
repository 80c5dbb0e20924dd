import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import type { Shape } from '../../src/trusted/catalogue/shape.ts'
import { contract, type ContractFields } from './facts.ts'

test('a field that published clients want in every record of a request is in it where the request left it out', () => {
  const intents = new Map(activities.flatMap(({ forms }) => forms.map(({ type, intent }) => [type, intent])))
  const versions = contract.operations.flatMap(({ versions = [] }) => versions)
  assert.deepEqual(
    versions.flatMap(({ type, parameters }) => unsupportedPath(intents.get(type), parameters, type)),
    [],
  )
})

function unsupportedPath(
  shape: Shape<unknown> | undefined,
  published: ContractFields,
  at: string,
): readonly string[] {
  return Object.entries(published).flatMap(([name, { type, required }]) => {
    const field = shape?.fields?.[name]
    if (field === undefined) return []
    const inner = contract.types[type.replace('[]', '')] ?? {}
    const isLeftOut = required && field.isOptional === true && field.otherwise === undefined
    return [
      ...(isLeftOut ? [`${at}.${name}`] : []),
      ...unsupportedPath(field.item ?? field, inner, `${at}.${name}`),
    ]
  })
}
