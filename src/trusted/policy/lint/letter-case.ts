import { fromHex } from '../../base/bytes.ts'
import { checksummed } from '../../crypto/eip55.ts'
import { type Ground, placeOf, type Remark, type Rule } from './finding.ts'
import { type ComparedTexts, comparedTexts, pathOf, walk } from './walk.ts'

/** Texts in a case that the other side of their comparison never has. */
export const letterCase: Rule = (read, ground) => {
  const { condition } = read.trees
  if (condition === undefined) return []
  return walk(condition)
    .flatMap(comparedTexts)
    .flatMap((compared) =>
      compared.texts.flatMap((text) => {
        const remark = onAddress(compared, text.value) ?? onLowered(compared, text.value, ground)
        return remark === undefined ? [] : [{ ...remark, place: placeOf(read, 'condition', text.span) }]
      }),
    )
}

/** Addresses of accounts are stored, and compared, in the mixed case of EIP-55. */
function onAddress({ subject }: ComparedTexts, text: string): Remark | undefined {
  if (pathOf(subject)?.join('.') !== 'wallet_account.address' || !/^0x[0-9a-fA-F]{40}$/.test(text))
    return undefined
  const account = fromHex(text.slice(2).toLowerCase())
  const stored = account && checksummed(account)
  if (stored === undefined || text === stored) return undefined
  const why = `\`wallet_account.address\` is compared with regard to case, and Ethereum addresses are stored in mixed case: write '${stored}'.`
  return { severity: 'warning', what: 'addressCase', why }
}

/** Strings of chains that are compared without regard to case stay so inside `CaseInsensitiveString`. */
function onLowered({ subject }: ComparedTexts, text: string, { contents }: Ground): Remark | undefined {
  const { tree, hidden } = subject
  if (tree.kind !== 'caseless' || text.toLowerCase() === text) return undefined
  const [keyword] = pathOf({ tree: tree.operand, hidden }) ?? []
  if (keyword === undefined || contents.includes(keyword)) return undefined
  const why = `The other side is in lower case and is never equal to it: write '${text.toLowerCase()}', or wrap it in CaseInsensitiveString as well.`
  return { severity: 'warning', what: 'textCase', why }
}
