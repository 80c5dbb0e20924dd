import { isJsonObject, type JsonValue } from '../../trusted/base/strict-json.ts'
import { type Fact, fact } from './fact.ts'
import { lettersNote, quoted, visible } from './visible.ts'

/** Every value of a JSON text, by its path: a text stands in quotation marks, so that `"1"` and `1` differ. */
export function leavesOf(value: JsonValue, path: string): readonly Fact[] {
  if (Array.isArray(value)) {
    // `Array.isArray` does not narrow a readonly list.
    const items = value as readonly JsonValue[]
    return items.length === 0
      ? [fact(path, '(empty list)')]
      : items.flatMap((item, index) => leavesOf(item, `${path}[${index}]`))
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value)
    return entries.length === 0
      ? [fact(path, '(nothing)')]
      : entries.flatMap(([name, item]) =>
          leavesOf(item, path === '' ? visible(name) : `${path}.${visible(name)}`),
        )
  }
  return typeof value === 'string' ? [textFact(path, value)] : [fact(path, String(value))]
}

/** A text of the request in quotation marks, with notes about deceptive letters. */
export function textFact(label: string, text: string): Fact {
  const notes = [lettersNote(visible(text)), hostNote(text)].filter(Boolean).join('; ')
  return fact(label, quoted(text) + (notes && ` (${notes})`), { nameable: text })
}

/** Signs of every alphabet may stand in the host of an address, and some look like the slash behind it. */
function hostNote(text: string): string {
  const host = /[^\0-\x7f]/.test(text) && URL.canParse(text) && new URL(text).host
  return host ? `its host is ${host}` : ''
}
