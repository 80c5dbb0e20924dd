import { StoreError } from '../store-error.ts'

/** The error of a command that works on data that exists. */
export function noEmbeddedStore(path: string): StoreError {
  return new StoreError(
    'foreign',
    `there is no embedded store ${path}: CLAVIGER_DATA, or the file that CLAVIGER_CONFIG names, has to name the folder of the data`,
  )
}
