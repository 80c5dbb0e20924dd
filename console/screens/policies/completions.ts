import { consensusVocabulary } from '../../../src/trusted/policy/people.ts'
import { timeVocabulary } from '../../../src/trusted/policy/time.ts'
import type { Type, Vocabulary } from '../../../src/trusted/policy/types.ts'
import { KNOWN_VOCABULARY } from './known-vocabulary.ts'

export type Part = 'condition' | 'consensus' | 'time'

/** Names that may stand at the end of a text, and from where on they take the place of what is there. */
type Completions = { readonly from: number; readonly names: readonly string[] }

const SHOWN_MAX = 8

const vocabularies: { readonly [part in Part]: Vocabulary } = {
  condition: KNOWN_VOCABULARY,
  consensus: consensusVocabulary,
  time: timeVocabulary,
}

/** By the path that ends where the caret is: `eth.tx.val` has `value`. */
export function completionsAt(part: Part, text: string, caret: number): Completions {
  const [path = ''] = /[a-z_][a-z0-9_.]*$/i.exec(text.slice(0, caret)) ?? []
  const names = path.split('.')
  const begun = names.pop() ?? ''
  const fields = fieldsAt(vocabularies[part], names)
  const found = Object.keys(fields).filter((name) => name.startsWith(begun) && name !== begun)
  return { from: caret - begun.length, names: path === '' ? [] : found.toSorted().slice(0, SHOWN_MAX) }
}

function fieldsAt(vocabulary: Vocabulary, path: readonly string[]): Vocabulary {
  let fields = vocabulary
  for (const name of path) {
    const type: Type | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (type?.kind !== 'struct') return {}
    fields = type.fields
  }
  return fields
}
