import { readFileSync, renameSync } from 'node:fs'
import { filesBeside } from '../app/file-beside.ts'
import { CommandError } from './command-error.ts'

/**
 * Puts the new file in the place of the one that had this text. Of two runs at once at least one gives way: each has
 * its new file there before it looks for another one, and reads the file only when it has found none.
 */
export function putInPlace(
  path: string,
  { beside, text }: { readonly beside: string; readonly text: string },
): void {
  if (filesBeside(path).some((file) => file !== beside))
    throw new CommandError(`another command is replacing ${path}: nothing was written, run the command again`)
  if (readFileSync(path, 'utf8') !== text) throw changedMeanwhile(path)
  try {
    renameSync(beside, path)
  } catch (error) {
    // Another run takes the new file of this one for that of a killed run, and removes it.
    throw isErrno(error, 'ENOENT') ? changedMeanwhile(path) : error
  }
}

function changedMeanwhile(path: string): CommandError {
  return new CommandError(`${path} was changed in the meantime: nothing was written, run the command again`)
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
