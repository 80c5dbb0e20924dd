import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { CommandError } from './command-error.ts'

/** The bytes of a file that an operator named. @throws CommandError  with its name: the error for a folder has none */
export function readFile(path: string): Buffer {
  return named(path, () => readFileSync(path))
}

/** The same as text. */
export function readTextFile(path: string): string {
  return readFile(path).toString('utf8')
}

/** The text of a file with a private key, which its owner alone may read and write. @throws CommandError */
export function readKeyFile(path: string): string {
  return readSecretFile(path, { holds: 'a private key', instead: 'set its names in the environment instead' })
}

/**
 * The text of a file with a secret, which its owner alone may read and write. The file whose mode is checked is the one
 * that is read: both through one descriptor.
 *
 * @param secret  the secret, and what to do where the file cannot have another mode
 * @throws CommandError
 */
export function readSecretFile(
  path: string,
  { holds, instead }: { readonly holds: string; readonly instead: string },
): string {
  return named(path, () => {
    const descriptor = openSync(path, 'r')
    try {
      const { mode } = fstatSync(descriptor)
      // Windows has no such modes, and shows 0666 for every file.
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new CommandError(
          `${path} has ${holds}, and can be accessed by other users of this machine (mode ${(mode & 0o777).toString(8)}): chmod 600 it, or ${instead}`,
        )
      return readFileSync(descriptor, 'utf8')
    } finally {
      closeSync(descriptor)
    }
  })
}

function named<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const trouble = fileTrouble(error)
    throw trouble === undefined ? error : new CommandError(`${path}: ${trouble}`, { cause: error })
  }
}
