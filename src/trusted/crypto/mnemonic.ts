import { pbkdf2Sync } from 'node:crypto'
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import { assert, present } from '../base/assert.ts'

/** The numbers of words of a mnemonic (BIP-39): 128 to 256 bits of entropy, in steps of 32. */
export const MNEMONIC_LENGTHS: readonly number[] = [12, 15, 18, 21, 24]

/** The word lists that the interface names. */
export type MnemonicLanguage =
  | 'MNEMONIC_LANGUAGE_ENGLISH'
  | 'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE'
  | 'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE'
  | 'MNEMONIC_LANGUAGE_CZECH'
  | 'MNEMONIC_LANGUAGE_FRENCH'
  | 'MNEMONIC_LANGUAGE_ITALIAN'
  | 'MNEMONIC_LANGUAGE_JAPANESE'
  | 'MNEMONIC_LANGUAGE_KOREAN'
  | 'MNEMONIC_LANGUAGE_SPANISH'

/** A mnemonic whose words are of one list and whose checksum is right. */
type Mnemonic = {
  /** NFKD, one space (U+0020) between words, in Japanese too: exactly the text from which BIP-39 makes a seed. */
  readonly sentence: string
  readonly language: MnemonicLanguage
  /** One of `MNEMONIC_LENGTHS`. */
  readonly words: number
}

/** A new mnemonic in English. Like every JavaScript string with a secret, it cannot be wiped. */
export function newMnemonic(words: number, randomBytes: (length: number) => Uint8Array): string {
  assert(MNEMONIC_LENGTHS.includes(words), 'a mnemonic has 12, 15, 18, 21 or 24 words')
  return wiping(randomBytes((words / 3) * 4), (entropy) => inWords(entropy, english))
}

/**
 * Reads a caller's mnemonic: any white space around and between words, any normal form of Unicode, words in the case of
 * their list.
 *
 * Two pairs of lists share words. Both Chinese lists give a shared word the same number, so a mnemonic in both has one
 * entropy. English and French give different numbers: a mnemonic that is valid in both (one in 10^17 of 12 words) is
 * read as English. The seed is made of the text, so it does not depend on the list.
 *
 * @returns  undefined when no list holds all the words, or their number or checksum is wrong
 */
export function readMnemonic(text: string): Mnemonic | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined
  const words = text.normalize('NFKD').trim().split(/\s+/u)
  if (!MNEMONIC_LENGTHS.includes(words.length)) return undefined
  const sentence = words.join(' ')
  for (const [language, list] of LISTS) {
    const entropy = words.every((word) => list.includes(word)) ? entropyOf(sentence, list) : undefined
    if (entropy === undefined) continue
    entropy.fill(0)
    return { sentence, language, words: words.length }
  }
  return undefined
}

/**
 * The same entropy in the words of another list, in the form of `Mnemonic.sentence`. Its seed differs, because BIP-39
 * makes the seed from the text.
 *
 * @param sentence  as `readMnemonic` returned it
 */
export function mnemonicIn(sentence: string, language: MnemonicLanguage): string {
  const read = present(readMnemonic(sentence), 'a sentence that was read before')
  if (read.language === language) return read.sentence
  const entropy = present(entropyOf(sentence, listOf(read.language)), 'the entropy of a valid sentence')
  return wiping(entropy, (bytes) => inWords(bytes, listOf(language)))
}

/**
 * The seed of BIP-39: PBKDF2 with HMAC-SHA512, 2,048 rounds, about a millisecond.
 *
 * @param sentence    as `readMnemonic` or `newMnemonic` returned it
 * @param passphrase  any text, empty for none
 * @returns           64 bytes; the caller wipes them
 */
export function seedOf(sentence: string, passphrase: string): Uint8Array {
  assert(passphrase.isWellFormed(), 'a passphrase has no halves of surrogate pairs')
  const salt = `mnemonic${passphrase}`.normalize('NFKD')
  return pbkdf2Sync(sentence.normalize('NFKD'), salt, 2048, 64, 'sha512')
}

/** In the order in which a mnemonic is tried. The lists of the package are in NFKD. */
const LISTS: ReadonlyMap<MnemonicLanguage, string[]> = new Map([
  ['MNEMONIC_LANGUAGE_ENGLISH', english],
  ['MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE', simplifiedChinese],
  ['MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE', traditionalChinese],
  ['MNEMONIC_LANGUAGE_CZECH', czech],
  ['MNEMONIC_LANGUAGE_FRENCH', french],
  ['MNEMONIC_LANGUAGE_ITALIAN', italian],
  ['MNEMONIC_LANGUAGE_JAPANESE', japanese],
  ['MNEMONIC_LANGUAGE_KOREAN', korean],
  ['MNEMONIC_LANGUAGE_SPANISH', spanish],
])

// The longest mnemonic, 24 Korean words in NFKD, has 287 characters; the rest allows for pasted white space.
const TEXT_LENGTH_MAX = 4096

function listOf(language: MnemonicLanguage): string[] {
  return present(LISTS.get(language), 'a word list of each language')
}

function entropyOf(sentence: string, list: string[]): Uint8Array | undefined {
  try {
    return mnemonicToEntropy(sentence, list)
  } catch {
    // The words are of the list, and their number is allowed, so the checksum is wrong.
    return undefined
  }
}

/** The package puts U+3000 between Japanese words, which NFKD turns into a space. */
function inWords(entropy: Uint8Array, list: string[]): string {
  return entropyToMnemonic(entropy, list).normalize('NFKD')
}

function wiping<T>(bytes: Uint8Array, use: (bytes: Uint8Array) => T): T {
  try {
    return use(bytes)
  } finally {
    bytes.fill(0)
  }
}
