import { hash } from 'node:crypto'
import { equalBytes, utf8 } from '../../trusted/base/bytes.ts'
import { list, oneOf, type PlainOf, record, textLike, whole } from '../../trusted/base/plain.ts'

/** The entry of a set of shares in a root key file: no shares, but enough to recognise each. */
export const shamirEntry = record({
  seal: oneOf(['shamir']),
  threshold: whole(2),
  /** The words with which every share of the set begins. */
  begins: textLike(/^[a-z]+ [a-z]+ [a-z]+$/, 'three words'),
  /** SHA-256 of each share, bound to the file. A share has 256 random bits, so it cannot be guessed. */
  shares: list(textLike(/^[0-9a-f]{64}$/, '32 bytes in hexadecimal'), 16),
})

type ShamirEntry = PlainOf<typeof shamirEntry>

/** One share as it was typed: words in small letters with single spaces. */
export function shareText(typed: string): string {
  return typed.trim().toLowerCase().split(/\s+/).join(' ')
}

export function beginOf(share: string): string {
  return share.split(' ').slice(0, 3).join(' ')
}

export function shareDigest(share: string, file: string): string {
  return hash('sha256', `claviger share ${file} ${share}`)
}

/**
 * The reason why a text is not one of the expected shares, worded for the person who typed it. It quotes only the words
 * with which all shares of the set begin.
 */
export function shareTrouble(
  share: string,
  {
    entry,
    file,
    given,
    isShare,
  }: {
    readonly entry: Pick<ShamirEntry, 'begins' | 'shares'>
    /** The value to which the digests of the shares are bound. */
    readonly file: string
    readonly given: ReadonlySet<string>
    readonly isShare: (text: string) => boolean
  },
): string | undefined {
  if (!isShare(share)) return 'that is no share: a word is wrong, missing or in another place'
  if (beginOf(share) !== entry.begins)
    return `that is a share of another set, which begins with "${beginOf(share)}" and not with "${entry.begins}"`
  const digest = utf8(shareDigest(share, file))
  if (!entry.shares.some((known) => equalBytes(utf8(known), digest)))
    return 'that share was not made with this file'
  return given.has(share) ? 'that share was given already' : undefined
}
