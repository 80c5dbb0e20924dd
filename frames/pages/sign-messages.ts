import { ownValue, parsedJson } from '../base/json.ts'
import type { Fields } from '../channel/fields.ts'
import type { Answering, Answers } from '../channel/open-channel.ts'
import { badMessage, notSigned } from '../failures.ts'
import type { HeldKeys } from '../keys/held-keys.ts'
import type { SigningKey } from '../keys/signing-key.ts'

/** The messages by which a page has something signed, and forgets keys. */
export function signMessages(keys: HeldKeys): Answers {
  return new Map<string, Answering>([
    [
      'SIGN_MESSAGE',
      async (fields) => {
        const { key, content } = asked(keys, fields, 'message')
        return ['MESSAGE_SIGNED', key.signMessage(content)]
      },
    ],
    [
      'SIGN_TRANSACTION',
      async (fields) => {
        const { key, content } = asked(keys, fields, 'transaction')
        return ['TRANSACTION_SIGNED', key.signTransaction(content)]
      },
    ],
    [
      'CLEAR_EMBEDDED_PRIVATE_KEY',
      async (fields) => {
        keys.clear(fields.optionalText('address'))
        return ['EMBEDDED_PRIVATE_KEY_CLEARED', true]
      },
    ],
  ])
}

/** JSON of what is to be signed and of the kind of chain that it is for. */
function asked(
  keys: HeldKeys,
  fields: Fields,
  name: 'message' | 'transaction',
): { readonly key: SigningKey; readonly content: string } {
  const given = parsedJson(fields.text('value'))
  const content = ownValue(given, name)
  if (typeof content !== 'string')
    throw badMessage({ what: `"value" is not JSON of a "${name}" and its "type"` })
  const key = keys.find(fields.optionalText('address'))
  if (ownValue(given, 'type') !== key.type)
    throw notSigned({ why: `the key is one of ${key.type}, and "type" names another chain` })
  return { key, content }
}
