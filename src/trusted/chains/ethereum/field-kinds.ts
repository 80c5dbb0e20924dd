import { Failure } from '../../base/failure.ts'
import { readRlp } from './read-rlp.ts'
import type { RlpItem } from './rlp.ts'

/** A letter for each field: `n` a number, `a` an address or none, `b` bytes, `l` a list, `?` bytes or a list. */
export type FieldKinds = string

/**
 * Whether bytes are a type and the fields of one of these forms: the same number of fields, and each of its kind. They
 * then count as that transaction even where a field is invalid: nodes accept some transactions that are refused here,
 * for example one with an invalid authorization, which they skip.
 */
export function fieldsAreOf(bytes: Uint8Array, forms: readonly FieldKinds[]): boolean {
  try {
    const fields = readRlp(bytes.subarray(1))
    return !(fields instanceof Uint8Array) && forms.some((form) => areOfForm(fields, form))
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

function areOfForm(fields: readonly RlpItem[], form: FieldKinds): boolean {
  return form.length === fields.length && fields.every((field, at) => isOfKind(field, form[at]))
}

function isOfKind(field: RlpItem, kind: string | undefined): boolean {
  if (kind === ANY) return true
  if (!(field instanceof Uint8Array)) return kind === LIST
  if (kind === NUMBER) return field.length <= 32 && field[0] !== 0
  return kind === ADDRESS ? field.length === 0 || field.length === 20 : kind === BYTES
}

const NUMBER = 'n'
const ADDRESS = 'a'
const BYTES = 'b'
const LIST = 'l'
const ANY = '?'
