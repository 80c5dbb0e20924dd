import {
  isPlain,
  list,
  oneOf,
  type PlainOf,
  record,
  text,
  textLike,
  whole,
} from '../../trusted/base/plain.ts'
import type { Secret } from '../../trusted/base/secret.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import type { SealEntry } from '../../trusted/vault/keys/sealed-file.ts'
import type { Seal, SealMeans } from '../seal.ts'
import type { Purpose } from '../shamir/collect-shares.ts'
import { givenShares } from '../shamir/given-shares.ts'
import { numbersOf, writeShares } from '../shamir/new-shares.ts'
import { beginOf, shareDigest } from '../shamir/share-set.ts'
import { loadSlip39 } from '../shamir/slip39.ts'

const hex = (bytes: number) =>
  textLike(new RegExp(`^[0-9a-f]{${bytes * 2}}$`), `${bytes} bytes in hexadecimal`)

/**
 * The entry of a recovery in a root key file. The shares restore the private key of `set`, which unwraps the key of the
 * file.
 */
const recoveryEntry = record({
  seal: oneOf(['recovery']),
  /**
   * The public key of the set, P-256, compressed. It outlives the key of the file, so that `rekey` keeps the recovery.
   */
  set: hex(33),
  threshold: whole(2),
  begins: textLike(/^[a-z]+ [a-z]+ [a-z]+$/, 'three words'),
  /** SHA-256 of each share, bound to the set. A share has 256 random bits, so it cannot be guessed. */
  shares: list(hex(32), 16),
  /** In hexadecimal: an encapsulated key, a ciphertext and its tag. */
  wrapped: text(2 * (65 + 32 + 16)),
  /** Written by the command that made it. */
  createdAt: whole(),
})

export type RecoveryEntry = PlainOf<typeof recoveryEntry>

/**
 * Shares for the case that all other seals are lost. The vault never uses them: `claviger recovery use` does, records
 * it and notifies every root user.
 */
export const recovery: Seal = {
  name: 'recovery',
  isTried: false,
  close: async (key, { parameters, file }, { randomBytes }) => {
    const { out, threshold, count } = numbersOf('recovery', parameters)
    const { split } = await loadSlip39()
    const { newSet, wrappedFor } = await wrapping()
    const { secret, set } = newSet(randomBytes)
    const shares = split(secret, threshold, count)
    secret.wipe()
    writeShares(out, shares)
    return {
      set,
      threshold,
      begins: beginOf(shares[0] ?? ''),
      shares: shares.map((share) => shareDigest(share, set)),
      wrapped: wrappedFor(set, { key, file, randomBytes }),
    }
  },
  open: async (found, file, means) =>
    (await restored(recoveryEntryIn(found), { file, purpose: 'recover', means })).key,
}

/** @throws RootKeyError */
export function recoveryEntryIn(entry: SealEntry): RecoveryEntry {
  if (isPlain(recoveryEntry, entry)) return entry
  throw new RootKeyError('the root key file does not say which shares recover it')
}

/** The same recovery in a file with another key: the people keep their shares. */
export async function rewrapped(
  entry: RecoveryEntry,
  given: { readonly key: Secret; readonly file: string; readonly randomBytes: SealMeans['randomBytes'] },
): Promise<RecoveryEntry> {
  const { wrappedFor } = await wrapping()
  return { ...entry, wrapped: wrappedFor(entry.set, given) }
}

/** Collects the needed shares, and returns their numbers. */
export async function restored(
  entry: RecoveryEntry,
  {
    file,
    purpose,
    means: { environment },
  }: { readonly file: string; readonly purpose: Purpose; readonly means: SealMeans },
): Promise<{ readonly key: Secret; readonly shares: readonly number[] }> {
  const { shares: given, secret } = await givenShares(entry, { boundTo: entry.set, purpose, environment })
  const { unwrapped } = await wrapping()
  const key = unwrapped(secret, entry, file)
  secret.wipe()
  const digests = given.map((share) => entry.shares.indexOf(shareDigest(share, entry.set)) + 1)
  return { key, shares: digests.toSorted((one, other) => one - other) }
}

/** Loaded on demand: the processes of other seals do not need it. */
async function wrapping() {
  return await import('./wrapping.ts')
}
