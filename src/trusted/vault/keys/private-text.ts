import { readFileSync, statSync } from 'node:fs'
import { fileTrouble } from '../../base/file-trouble.ts'
import { isTooOpen, KEY_READERS, tooOpenAdvice } from './key-readers.ts'
import { RootKeyError } from './root-key-error.ts'

/**
 * The text of a file that only the users allowed by the operator can read (`CLAVIGER_ROOT_KEY_READERS`).
 *
 * @throws RootKeyError
 */
export function privateText(path: string, what: string, said: string | undefined): string {
  try {
    const { mode } = statSync(path)
    const readers = KEY_READERS.find((word) => word === said) ?? 'owner'
    if (isTooOpen(mode, readers))
      throw new RootKeyError(`the ${what} ${path} can be read by others ${tooOpenAdvice(mode)}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof RootKeyError) throw error
    throw new RootKeyError(`the ${what} ${path} cannot be read: ${fileTrouble(error) ?? String(error)}`)
  }
}
