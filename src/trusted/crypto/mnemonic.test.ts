import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Bug } from '../base/assert.ts'
import {
  MNEMONIC_LENGTHS,
  mnemonicIn,
  type MnemonicLanguage,
  newMnemonic,
  readMnemonic,
  seedOf,
} from './mnemonic.ts'
import { hex, seededBytes, vectorTest } from './testing/vectors.ts'

/** By the names in the files of vectors. */
const LANGUAGES: Readonly<Record<string, MnemonicLanguage>> = {
  english: 'MNEMONIC_LANGUAGE_ENGLISH',
  chinese_simplified: 'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE',
  chinese_traditional: 'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE',
  czech: 'MNEMONIC_LANGUAGE_CZECH',
  french: 'MNEMONIC_LANGUAGE_FRENCH',
  italian: 'MNEMONIC_LANGUAGE_ITALIAN',
  japanese: 'MNEMONIC_LANGUAGE_JAPANESE',
  korean: 'MNEMONIC_LANGUAGE_KOREAN',
  spanish: 'MNEMONIC_LANGUAGE_SPANISH',
}

/** Entropy, sentence, seed with the passphrase TREZOR, extended key. */
type Bip39 = Readonly<Record<string, readonly (readonly [string, string, string, string])[]>>

vectorTest<Bip39>(
  'every published sentence of the nine languages is read and made, and gives its seed; those of other languages are refused',
  'bip39/vectors.json',
  (vectors) => {
    let cases = 0
    for (const [name, rows] of Object.entries(vectors)) {
      const language = LANGUAGES[name]
      for (const [entropy, text, seed] of rows) {
        cases++
        const read = readMnemonic(text)
        if (language === undefined) {
          assert.equal(read, undefined)
          continue
        }
        assert.ok(read !== undefined)
        assert.equal(read.sentence, text.normalize('NFKD'))
        assert.equal(read.words, (entropy.length * 3) / 8)
        assert.equal(
          newMnemonic(read.words, () => hex(entropy)),
          mnemonicIn(text, 'MNEMONIC_LANGUAGE_ENGLISH'),
        )
        assert.equal(
          mnemonicIn(
            newMnemonic(read.words, () => hex(entropy)),
            language,
          ),
          read.sentence,
        )
        assert.deepEqual(seedOf(read.sentence, 'TREZOR'), hex(seed))
        // The lists of Chinese share words, and so does this sentence.
        const isShared = name === 'chinese_traditional' && read.language === LANGUAGES['chinese_simplified']
        if (!isShared) assert.equal(read.language, language)
      }
    }
    assert.equal(cases, 288)
  },
)

type Ethers = readonly {
  readonly name: string
  readonly phrase: string
  readonly password: string
  readonly seed: string
}[]

vectorTest<Ethers>(
  'sentences and passphrases beyond ASCII give the seeds that another library gives them',
  'ethers/mnemonics.json',
  (vectors) => {
    assert.equal(vectors.length, 400)
    for (const { name, phrase, password, seed } of vectors) {
      const read = readMnemonic(textOf(phrase))
      // One of its locales, Portuguese, is not in the interface.
      if (/-pt\b/.test(name)) assert.equal(read, undefined, name)
      else assert.deepEqual(seedOf(read?.sentence ?? '', textOf(password)), hex(seed.slice(2)), name)
    }
  },
)

test('a sentence that was made is read, and read again in any other language it has the same entropy', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...MNEMONIC_LENGTHS),
      fc.nat(),
      fc.constantFrom(...Object.values(LANGUAGES)),
      (words, number, language) => {
        const made = newMnemonic(words, seededBytes(number))
        const other = mnemonicIn(made, language)
        const read = readMnemonic(other)
        assert.equal(read?.sentence, other)
        assert.equal(read?.words, words)
        assert.equal(mnemonicIn(other, 'MNEMONIC_LANGUAGE_ENGLISH'), made)
        assert.equal(mnemonicIn(other, read?.language ?? language), other)
      },
    ),
    { numRuns: 300 },
  )
})

test('white space and normal form of what a caller sends do not matter', () => {
  const [sentence, japanese] = [ofZeros(), mnemonicIn(ofZeros(), 'MNEMONIC_LANGUAGE_JAPANESE')]
  const spanish = mnemonicIn(ofZeros(), 'MNEMONIC_LANGUAGE_SPANISH')

  assert.equal(readMnemonic(`\n ${sentence.replaceAll(' ', ' \t\r\n')}\u00a0`)?.sentence, sentence)
  assert.equal(readMnemonic(japanese.replaceAll(' ', '\u3000'))?.sentence, japanese)
  assert.notEqual(spanish.normalize('NFC'), spanish)
  assert.equal(readMnemonic(spanish.normalize('NFC'))?.sentence, spanish)
})

test('what is not a sentence with its checksum is refused', () => {
  const good = ofZeros()
  for (const text of [
    '',
    ' ',
    good.replace('about', 'abandon'),
    good.replace('about', 'About'),
    good.replace('about', 'abou'),
    good.replace('about', 'abaco'),
    good.replace('abandon ', ''),
    `${good} abandon`,
    Array(15).fill('abandon').join(' '),
    good.replaceAll(' ', ','),
    `${good}\n--PASS--\n`,
    `${good}\0`,
    `${good}\ud800`,
    good.padEnd(5000),
  ]) {
    assert.equal(readMnemonic(text), undefined, JSON.stringify(text))
  }
})

test('one changed word is found by the checksum as often as it has bits', () => {
  const words = ofZeros().split(' ')
  let passed = 0
  const others = mnemonicIn(newMnemonic(24, seededBytes(3)), 'MNEMONIC_LANGUAGE_ENGLISH').split(' ')
  for (const [at] of words.entries()) {
    for (const other of others) if (readMnemonic(words.with(at, other).join(' ')) !== undefined) passed++
  }
  // 288 tries, one in 16 expected to pass.
  assert.ok(passed < 288 / 8, `${passed} passed`)
})

test('reading any other text fails cleanly', () => {
  const word = fc.constantFrom(
    ...ofZeros().split(' '),
    'zoo',
    'wrong',
    '的',
    '가격'.normalize('NFKD'),
    'ábaco',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(word, fc.string({ unit: 'grapheme' })), { maxLength: 26 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, (any) => {
      const read = readMnemonic(any)
      if (read !== undefined) assert.equal(readMnemonic(read.sentence)?.sentence, read.sentence)
    }),
  )
})

test('lengths that BIP-39 does not have are a bug of the caller', () => {
  assert.throws(() => newMnemonic(13, seededBytes(1)), Bug)
})

test('the entropy of a new sentence is wiped', () => {
  const entropy = Uint8Array.from(seededBytes(1)(16))
  newMnemonic(12, () => entropy)
  assert.deepEqual(entropy, new Uint8Array(16))
})

/** BIP-39's sentence of entropy zero: eleven times abandon, then about. */
function ofZeros(): string {
  return newMnemonic(12, (length) => new Uint8Array(length))
}

/** @param prefixed  0x and the hex of UTF-8 */
function textOf(prefixed: string): string {
  return Buffer.from(prefixed.slice(2), 'hex').toString('utf8')
}
