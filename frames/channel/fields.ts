import { ownValue } from '../base/json.ts'
import { badMessage } from '../failures.ts'

/** What a message of the page carries beside its type. */
export type Fields = {
  /** A text that has to be there. @throws Failure `badMessage` */
  readonly text: (name: string) => string
  /** Undefined where the field is absent, null or empty: clients leave fields unset in each of these ways. */
  readonly optionalText: (name: string) => string | undefined
}

/** No bundle, request body or transaction is longer. */
const TEXT_LENGTH_MAX = 1024 * 1024

/** Only the message's own fields count; nothing of it is copied into another object. */
export function fieldsOf(message: object): Fields {
  const optionalText = (name: string): string | undefined => {
    const value = ownValue(message, name)
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') throw badMessage({ what: `"${name}" is not a text` })
    if (value.length > TEXT_LENGTH_MAX)
      throw badMessage({ what: `"${name}" is longer than ${TEXT_LENGTH_MAX} characters` })
    return value
  }
  return {
    optionalText,
    text: (name) => {
      const value = optionalText(name)
      if (value === undefined) throw badMessage({ what: `"${name}" is missing` })
      return value
    },
  }
}
