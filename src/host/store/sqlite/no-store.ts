import { statSync } from 'node:fs'
import { StoreError } from '../store-error.ts'

/**
 * The error of a command that works on data that exists; undefined if there is an embedded store.
 *
 * @throws an error of the system where this user may not look, and so cannot say that there is none
 */
export function noEmbeddedStore(path: string): StoreError | undefined {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return undefined
  return new StoreError(
    'foreign',
    `there is no embedded store ${path}: CLAVIGER_DATA, or the file that CLAVIGER_CONFIG names, has to name the folder of the data`,
  )
}
