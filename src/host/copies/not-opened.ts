import { CopyError } from './copy-error.ts'
import type { CopyHeader } from './copy-file.ts'

/** A part of a copy does not open under the key of the copy. */
export class NotOpened extends CopyError {
  constructor(what: 'backup' | 'archive', cause: unknown) {
    super(`the ${what} is damaged, cut off or was changed`, { cause })
  }
}

/** The same for the first part: under the root key of other data it does not open either. */
export function notOpenedAtFirst(error: unknown, { age }: CopyHeader['key']): unknown {
  if (!(error instanceof NotOpened) || age !== undefined) return error
  return new CopyError(`${error.message}, or the root key file is that of other data`, { cause: error })
}
