import { assert } from '../../../trusted/base/assert.ts'
import type { JsonSchema } from '../../../trusted/catalogue/shape.ts'
import { isObject } from '../../../trusted/base/plain.ts'

/** The named schemas of a document: each is there once, and every use refers to it. */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>()

  /** @returns  the reference to it */
  add(title: string, schema: JsonSchema): JsonSchema {
    const described = { title, ...this.#parts(schema) }
    const known = this.#schemas.get(title)
    // Several versions may share the name of a result; it must then be the same schema.
    assert(
      known === undefined || JSON.stringify(known) === JSON.stringify(described),
      `${title} has one shape`,
    )
    this.#schemas.set(title, described)
    return refTo(title)
  }

  /** The schema in the document: a part with a title becomes a reference to that name. */
  described(schema: JsonSchema): JsonSchema {
    const { title, ...untitled } = schema
    return typeof title === 'string' ? this.add(title, untitled) : this.#parts(schema)
  }

  all(): { readonly [title: string]: JsonSchema } {
    return Object.fromEntries(this.#schemas)
  }

  #parts(schema: JsonSchema): JsonSchema {
    const parts = Object.entries(schema).map(([key, value]) => [key, this.#part(key, value)] as const)
    // A bound without effect is left out.
    return Object.fromEntries(parts.filter(([, value]) => value !== Number.MAX_SAFE_INTEGER))
  }

  #part(key: string, value: unknown): unknown {
    if (key === 'properties' && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, isObject(one) ? this.described(one) : one]),
      )
    if (['anyOf', 'oneOf'].includes(key) && Array.isArray(value))
      return value.map((item) => this.described(item))
    return key === 'items' && isObject(value) ? this.described(value) : value
  }
}

export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}
