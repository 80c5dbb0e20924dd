import assert from 'node:assert/strict'
import { Caseless } from '../../base/caseless.ts'
import { struct, type Type, type Vocabulary } from '../../policy/types.ts'
import { type SeenValue, UNANSWERABLE } from '../transaction.ts'

/**
 * Checks that each fact has a name in the language, with the declared type.
 *
 * @returns the paths that occurred
 */
export function fits(type: Type, value: SeenValue | undefined, path: string): ReadonlySet<string> {
  const met = new Set([path])
  const fitsInto = (each: Type, part: SeenValue | undefined, at: string): void => {
    for (const inner of fits(each, part, at)) met.add(inner)
  }
  if (value === UNANSWERABLE) return met
  switch (type.kind) {
    case 'struct': {
      assert.ok(typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless), path)
      for (const [name, part] of Object.entries(value)) {
        const field = type.fields[name]
        assert.ok(field, `${path}.${name} is in the vocabulary`)
        if (part !== undefined) fitsInto(field, part, `${path}.${name}`)
      }
      break
    }
    case 'list':
      assert.ok(Array.isArray(value), path)
      for (const part of value) fitsInto(type.of, part, `${path}[]`)
      break
    case 'int':
      assert.equal(typeof value, 'bigint', path)
      break
    case 'bool':
      assert.equal(typeof value, 'boolean', path)
      break
    case 'string':
      assert.equal(
        value instanceof Caseless ? 'caseless' : typeof value,
        type.isCaseless ? 'caseless' : 'string',
        path,
      )
      break
    case 'map':
      assert.ok(typeof value === 'object' && !Array.isArray(value) && !(value instanceof Caseless), path)
      for (const [name, part] of Object.entries(value)) fitsInto(type.of, part, `${path}['${name}']`)
      break
    default:
      assert.equal(type.kind, 'dynamic', path)
  }
  return met
}

/** The paths of a namespace that did not occur. */
export function unnamed(namespace: Vocabulary, met: ReadonlySet<string>): readonly string[] {
  return [...pathsOf(struct(namespace), 'seen')].filter((path) => !met.has(path))
}

function pathsOf(type: Type, path: string): readonly string[] {
  if (type.kind === 'list') return [path, ...pathsOf(type.of, `${path}[]`)]
  if (type.kind !== 'struct') return [path]
  return [path, ...Object.entries(type.fields).flatMap(([name, field]) => pathsOf(field, `${path}.${name}`))]
}
