import { Lru } from '../../base/lru.ts'
import { type Expression, readExpression } from '../../policy/expression.ts'
import type { Vocabulary } from '../../policy/types.ts'

/** Characters of the texts that one charter keeps read. An expression has no more parts than characters. */
export const READ_LATER_MAX = 32 * 1024

/** The expression of a text; undefined when the text cannot be read. */
export type ReadLater = (text: string) => Expression | undefined

/** Scopes of sessions and conditions of MFA policies: each is read at its first use, and the latest are kept. */
export function readLater(vocabulary: Vocabulary): ReadLater {
  const kept = new Lru<{ readonly text: string; readonly expression: Expression | undefined }>(
    READ_LATER_MAX,
    ({ text }) => text.length,
  )
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known.expression
    const expression = readExpression(text, vocabulary)
    kept.set(text, { text, expression })
    return expression
  }
}
