import { fromUtf8 } from '../../trusted/base/bytes.ts'
import { finished } from '../../trusted/base/work.ts'
import { BYTES_ENCODINGS, rawBytes } from '../../trusted/chains/raw-bytes.ts'
import type { ChainWords } from './chains/chain-words.ts'
import { nobody } from './chains/evm-reader.ts'
import { signedMessageIn } from './chains/signed-message.ts'
import { fact, type Reading, reading } from './fact.ts'
import { HASH_FUNCTIONS } from './known-chains.ts'
import { readable, Unreadable } from './request.ts'
import { transactionReading } from './transaction-words.ts'
import { lettersNote, quotedBeginning, visible } from './visible.ts'

type Raw = { readonly payload: string; readonly encoding: string; readonly hashFunction: string }

/**
 * The words for a raw payload: a transaction, typed data, a text, or opaque bytes.
 *
 * @param chains  the chains to which such a payload may belong
 */
export function payloadWords(raw: Raw, signWith: string, chains: readonly ChainWords[]): Reading {
  if (!HASH_FUNCTIONS.includes(raw.hashFunction)) throw new Unreadable(NOT_KNOWN)
  if (BYTES_ENCODINGS.some((encoding) => encoding === raw.encoding)) return bytesWords(raw, signWith, chains)
  for (const words of chains)
    for (const { encoding, part, read, what } of words.chain.encodings ?? []) {
      if (encoding !== raw.encoding) continue
      const say = words.encoded?.[part]
      if (say !== undefined) return readable(() => say(raw.payload, signWith))
      const { seen } = readable(() => finished(read(raw.payload)))
      if (seen === undefined) throw new Unreadable(`nothing can be seen in ${what}`)
      return transactionReading(seen, signWith, words, [])
    }
  throw new Unreadable(NOT_KNOWN)
}

const NOT_KNOWN = 'its encoding or hash function is not known here'

function bytesWords(raw: Raw, signWith: string, chains: readonly ChainWords[]): Reading {
  const bytes = readable(() => rawBytes(raw))
  return (
    transactionIn(bytes, raw.hashFunction, signWith, chains) ??
    textIn(bytes, raw.hashFunction, signWith) ??
    opaqueWords(raw, bytes, signWith)
  )
}

/** The bytes do not name the curve of the key: they are shown in their meaning for a key of the chain. */
function transactionIn(
  bytes: Uint8Array,
  hashFunction: string,
  signWith: string,
  chains: readonly ChainWords[],
): Reading | undefined {
  for (const words of chains) {
    const { payload, curve } = words.chain
    if (payload?.hashFunction !== hashFunction) continue
    const seen = readable(() => finished(payload.see(bytes, { ...nobody(signWith), curve })))
    if (seen !== undefined)
      return transactionReading(seen, signWith, words, words.unseenInBytes?.(bytes) ?? [])
  }
  return undefined
}

function textIn(bytes: Uint8Array, hashFunction: string, signWith: string): Reading | undefined {
  const message = (hashFunction === 'HASH_FUNCTION_KECCAK256' && signedMessageIn(bytes)) || bytes
  const text = fromUtf8(message)
  if (text === undefined || !isPlain(text) || hashFunction === 'HASH_FUNCTION_NO_OP') return undefined
  if (text.startsWith(COSMOS))
    return textWords(text, signWith, 'a Cosmos transaction, which cannot be read here:', MAY_PAY)
  return textWords(text, signWith, 'the text', message.length === DIGEST_BYTES ? MAY_BE_DIGEST : undefined)
}

/**
 * The beginning of each transaction that a chain of the Cosmos SDK verifies as a text: the chain writes it itself, with
 * its names in the order of the alphabet (`StdSignBytes` of the SDK).
 */
const COSMOS = '{"account_number":"'
const MAY_PAY = 'It may be a payment of everything.'

/**
 * Bitcoin signs the SHA-256 of a digest, keys on Ed25519 sign the digests of several chains, and contracts such as a
 * Safe accept the digest of a transaction under EIP-191. A payment can be varied until its digest is readable.
 */
const DIGEST_BYTES = 32
const MAY_BE_DIGEST =
  'The 32 bytes may also be a digest: a payment of everything, a permit, or a login look just like this.'

/** A readable text: lines of letters, without characters that are shown as escapes. */
function isPlain(text: string): boolean {
  const lines = text.replace(/[\n\\]/g, ' ')
  return visible(lines) === lines && /\p{L}/u.test(text)
}

function textWords(text: string, signWith: string, what: string, doubt?: string): Reading {
  const shown = visible(text)
  const note = lettersNote(shown)
  return reading(`Sign ${what} ${quotedBeginning(text)}.`, {
    facts: [fact('Text', shown), fact('Signed with', signWith, { nameable: signWith })],
    dangers: [
      'A signature of a text can serve as a login or an agreement wherever it is accepted.',
      ...(note === undefined ? [] : [`The text has ${note}.`]),
    ],
    unknowable: doubt === undefined ? [] : [doubt],
  })
}

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
