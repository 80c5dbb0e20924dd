import { CopyError } from './copy-error.ts'

export function damaged(why: string): CopyError {
  return new CopyError(`the backup is damaged: ${why}`)
}
