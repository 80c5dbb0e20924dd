import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isPlain } from '../../trusted/base/plain.ts'
import { RootKeyError } from '../../trusted/vault/root-key-error.ts'
import { checkParameters } from '../check-parameters.ts'
import type { Seal } from '../seal.ts'
import { collectShares } from './collect-shares.ts'
import { beginOf, shamirEntry, shareDigest, shareTrouble } from './share-set.ts'
import { loadSlip39 } from './slip39.ts'

const SHARES_MAX = 16
const FORGET_MS = 15 * 60_000

/** k of n people, each with a share in words. They give them to `claviger unseal`, one after the other, on the machine of the vault. */
export const shamir: Seal = {
  name: 'shamir',
  isTried: false,
  close: async (key, { parameters, file }) => {
    const { out = '', ...numbers } = checkParameters('shamir', parameters, ['threshold', 'shares', 'out'])
    const [threshold, count] = [Number(numbers['threshold']), Number(numbers['shares'])]
    if (
      !(
        Number.isInteger(threshold) &&
        Number.isInteger(count) &&
        threshold >= 2 &&
        threshold <= count &&
        count <= SHARES_MAX
      )
    )
      throw new RootKeyError(
        `the seal shamir takes from 2 to ${SHARES_MAX} shares, and a threshold from 2 to all of them`,
      )
    const { split } = await loadSlip39()
    const shares = split(key, threshold, count)
    writeShares(out, shares)
    const digests = shares.map((share) => shareDigest(share, file))
    return { threshold, begins: beginOf(shares[0] ?? ''), shares: digests }
  },
  open: async (entry, file, { environment }) => {
    if (!isPlain(shamirEntry, entry))
      throw new RootKeyError('the root key file does not say which shares it needs')
    const { isShare, combined } = await loadSlip39()
    const path = environment['CLAVIGER_UNSEAL_SOCKET'] ?? ''
    const shares = await collectShares({
      path,
      forGroup: environment['CLAVIGER_UNSEAL_PEOPLE'] === 'group',
      needed: entry.threshold,
      trouble: (share, given) => shareTrouble(share, { entry, file, given, isShare }),
      forgetMs: FORGET_MS,
      onListening: () => {
        process.stderr.write(`The root key waits for ${entry.threshold} shares at ${path}: claviger unseal\n`)
      },
    })
    return combined(shares)
  },
}

/** One file for each person, none of them in the place of another file. */
function writeShares(folder: string, shares: readonly string[]): void {
  const written: string[] = []
  try {
    for (const [index, share] of shares.entries()) {
      const path = join(folder, `share-${index + 1}-of-${shares.length}`)
      const out = openSync(path, 'wx', 0o600)
      written.push(path)
      writeSync(out, `${share}\n`)
      fsyncSync(out)
      closeSync(out)
    }
  } catch (error) {
    for (const path of written) rmSync(path)
    throw new RootKeyError(`the shares cannot be written: ${error instanceof Error ? error.message : ''}`)
  }
}
