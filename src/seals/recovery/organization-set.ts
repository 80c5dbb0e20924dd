import { isPlain, list, type PlainOf, record, text, textLike, whole } from '../../trusted/base/plain.ts'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'

/** The description of an organization's set of shares in a file: no shares, but enough to recognise each. */
const organizationSet = record({
  organizationId: textLike(/^[0-9a-f-]{36}$/, 'the id of an organization'),
  /** Of the service. */
  baseUrl: text(1_000),
  /** Of the key that the shares restore: P-256, compressed, in hexadecimal. */
  publicKey: textLike(/^0[23][0-9a-f]{64}$/, 'a public key of P-256'),
  threshold: whole(2),
  delayHours: whole(1),
  begins: textLike(/^[a-z]+ [a-z]+ [a-z]+$/, 'three words'),
  /** SHA-256 of each share, bound to the public key. A share has 256 random bits, so it cannot be guessed. */
  shares: list(textLike(/^[0-9a-f]{64}$/, '32 bytes in hexadecimal'), 16),
})
export type OrganizationSet = PlainOf<typeof organizationSet>

/** @throws RootKeyError */
export function readOrganizationSet(fileText: string): OrganizationSet {
  const found = jsonIn(fileText)
  if (isPlain(organizationSet, found)) return found
  throw new RootKeyError(
    'that is no file of a recovery set: name the recovery-set.json that claviger recovery create has written',
  )
}
