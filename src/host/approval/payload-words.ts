import { fromUtf8 } from '../../trusted/base/bytes.ts'
import { finished } from '../../trusted/base/work.ts'
import { type HashFunction, hashFunctions } from '../../trusted/chains/hash-function.ts'
import {
  type PayloadEncoding,
  payloadEncodings,
  rawBytes,
  structuredEncoding,
} from '../../trusted/chains/payload.ts'
import { payloadRules } from '../../trusted/chains/payload-rules.ts'
import { seenInBytes } from '../../trusted/chains/seen-payload.ts'
import { signedMessageIn } from './chains/signed-message.ts'
import { typedDataWords } from './chains/typed-data-words.ts'
import { nobody } from './chains/evm-reader.ts'
import { chainWords } from './chains/list.ts'
import { type Fact, fact, type Reading, reading } from './fact.ts'
import { lettersNote, visible } from './visible.ts'
import { readable, Unreadable } from './request.ts'
import { saidSeen } from './transaction-words.ts'

/** What is asked to be signed with a raw payload: a transaction, typed data, a text, or bytes of which nothing can be known. */
export function payloadWords(
  raw: { readonly payload: string; readonly encoding: string; readonly hashFunction: string },
  signWith: string,
): Reading {
  const encoding = payloadEncodings.find((each) => each === raw.encoding)
  const hashFunction = hashFunctions.find((each) => each === raw.hashFunction)
  if (encoding === undefined || hashFunction === undefined)
    throw new Unreadable('its encoding or hash function is not known here')
  const structured = structuredEncoding(encoding)
  if (structured === undefined) return bytesWords({ ...raw, encoding, hashFunction }, signWith)
  if (structured.part === TYPED_DATA) return readable(() => typedDataWords(raw.payload, signWith))
  const { seen } = readable(() => finished(structured.read(raw.payload)))
  if (seen === undefined) throw new Unreadable(`nothing can be seen in ${structured.what}`)
  return saidSeen(seen, signWith, [])
}

const TYPED_DATA = 'eip_712'

type Raw = {
  readonly payload: string
  readonly encoding: PayloadEncoding
  readonly hashFunction: HashFunction
}

function bytesWords(raw: Raw, signWith: string): Reading {
  const bytes = readable(() => rawBytes(raw))
  // The bytes do not say on which curve the key is: they are shown as what they are for a key of the chain.
  const curves = payloadRules(raw.hashFunction).map(({ curve }) => curve)
  for (const curve of new Set(curves)) {
    const seen = readable(() =>
      finished(seenInBytes(bytes, raw.hashFunction, { ...nobody(signWith), curve })),
    )
    if (seen !== undefined) return saidSeen(seen, signWith, unseenIn(seen, bytes))
  }
  const isHashed = raw.hashFunction === 'HASH_FUNCTION_KECCAK256'
  const text = fromUtf8((isHashed ? signedMessageIn(bytes) : undefined) ?? bytes)
  const isText = text !== undefined && isPlain(text) && raw.hashFunction !== 'HASH_FUNCTION_NO_OP'
  return isText ? textWords(text, signWith) : opaqueWords(raw, bytes, signWith)
}

function unseenIn(seen: object, bytes: Uint8Array): readonly Fact[] {
  return chainWords
    .filter(({ keyword }) => Object.hasOwn(seen, keyword))
    .flatMap((words) => words.unseenInBytes?.(bytes) ?? [])
}

/** A text that a person can read: lines of letters, and nothing that is shown as an escape. */
function isPlain(text: string): boolean {
  const lines = text.replaceAll('\n', ' ').replaceAll('\\', '')
  return visible(lines) === lines && /\p{L}/u.test(text)
}

function textWords(text: string, signWith: string): Reading {
  const shown = visible(text)
  const beginning = shown.length > BEGINNING ? `${shown.slice(0, BEGINNING)}… (all of it below)` : shown
  const note = lettersNote(visible(text))
  return reading(`Sign the text "${beginning}".`, {
    facts: [fact('Text', shown), fact('Signed with', signWith, { nameable: signWith })],
    dangers: [
      'A signature of a text can log in, or agree to something, wherever somebody takes it.',
      ...(note === undefined ? [] : [`The text has ${note}.`]),
    ],
  })
}

const BEGINNING = 200

function opaqueWords({ payload, hashFunction }: Raw, bytes: Uint8Array, signWith: string): Reading {
  const what =
    hashFunction === 'HASH_FUNCTION_NO_OP' ? `a digest of ${bytes.length} bytes` : `${bytes.length} raw bytes`
  return reading(`Sign ${what} of which NOTHING CAN BE KNOWN.`, {
    facts: [
      fact('Raw bytes', visible(payload), { tone: 'unknowable' }),
      fact('Signed with', signWith, { nameable: signWith }),
    ],
    unknowable: [
      `Nothing can be known of ${what}: a payment of everything, a permit, or a login look just like this.`,
    ],
  })
}
