import { fromHex, fromUtf8 } from '../../trusted/base/bytes.ts'
import { type Fact, fact } from './fact.ts'
import { textFact } from './leaves.ts'
import { quotedBeginning } from './visible.ts'

type Memo = { readonly sentence: string; readonly fact: Fact }

/**
 * The text beside a payment, if there is one. A bridge or an exchange decides by it who gets the payment.
 *
 * @param hex  the bytes, without `0x`
 */
export function memosIn(hex: string): readonly Memo[] {
  const bytes = fromHex(hex) ?? new Uint8Array()
  if (bytes.length === 0) return []
  const text = fromUtf8(bytes)
  return text === undefined
    ? [{ sentence: `The memo is ${bytes.length} bytes that are no text.`, fact: fact('Memo', `0x${hex}`) }]
    : [{ sentence: `The memo is ${quotedBeginning(text)}.`, fact: textFact('Memo', text) }]
}
