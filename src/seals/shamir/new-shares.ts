import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { checkParameters } from '../check-parameters.ts'
import { syncFolder, writeSynced } from '../durable-file.ts'
import type { SealParameters } from '../seal.ts'

const SHARES_MAX = 16

/**
 * The number of shares, the threshold, and the folder for the shares.
 *
 * @throws RootKeyError
 */
export function numbersOf(
  seal: string,
  parameters: SealParameters,
): { readonly out: string; readonly threshold: number; readonly count: number } {
  const { out = '', ...numbers } = checkParameters(seal, parameters, ['threshold', 'shares', 'out'])
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
      `the seal ${seal} takes from 2 to ${SHARES_MAX} shares, and a threshold from 2 to all of them`,
    )
  return { out, threshold, count }
}

/**
 * One file for each person, on the disk before anything needs them; existing files are never overwritten.
 *
 * @throws RootKeyError
 */
export function writeShares(folder: string, shares: readonly string[]): void {
  const written: string[] = []
  try {
    const paths = sharePaths(folder, shares.length)
    for (const [index, share] of shares.entries()) {
      const path = paths[index] ?? ''
      writeSynced(path, `${share}\n`, 0o600)
      written.push(path)
    }
    syncFolder(folder)
  } catch (error) {
    for (const path of written) rmSync(path)
    throw new RootKeyError(`the shares cannot be written: ${fileTrouble(error) ?? String(error)}`)
  }
}

/** The paths of the files of `writeShares`. */
export function sharePaths(folder: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => join(folder, `share-${index + 1}-of-${count}`))
}
