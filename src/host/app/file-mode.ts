import { statSync } from 'node:fs'

/** Whether another user than its owner may read or change an existing file. */
export function othersMayRead(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0
}
