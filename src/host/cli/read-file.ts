import { readFileSync } from 'node:fs'
import { fileTrouble } from '../../trusted/base/file-trouble.ts'
import { CommandError } from './command-error.ts'

/** The bytes of a file that an operator named. @throws CommandError  with its name: the error for a folder has none */
export function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const trouble = fileTrouble(error)
    throw trouble === undefined ? error : new CommandError(`${path}: ${trouble}`, { cause: error })
  }
}

/** The same as text. */
export function readTextFile(path: string): string {
  return readFile(path).toString('utf8')
}
