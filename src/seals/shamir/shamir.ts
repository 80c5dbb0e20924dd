import { isPlain } from '../../trusted/base/plain.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import type { Seal } from '../seal.ts'
import { givenShares } from './given-shares.ts'
import { numbersOf, writeShares } from './new-shares.ts'
import { beginOf, shamirEntry, shareDigest } from './share-set.ts'
import { loadSlip39 } from './slip39.ts'

/**
 * k of n people, each with a share in words. They give them to `claviger unseal`, one after the other, on the machine
 * of the vault.
 */
export const shamir: Seal = {
  name: 'shamir',
  isTried: false,
  close: async (key, { parameters, file }) => {
    const { out, threshold, count } = numbersOf('shamir', parameters)
    const { split } = await loadSlip39()
    const shares = split(key, threshold, count)
    writeShares(out, shares)
    const digests = shares.map((share) => shareDigest(share, file))
    return { threshold, begins: beginOf(shares[0] ?? ''), shares: digests }
  },
  open: async (entry, file, { environment }) => {
    if (!isPlain(shamirEntry, entry))
      throw new RootKeyError('the root key file does not say which shares it needs')
    return (await givenShares(entry, { boundTo: file, purpose: 'open', environment })).secret
  },
}
