import { statSync } from 'node:fs'

/** Whether anybody but its owner may read or change a file that is there. */
export function othersMayRead(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0
}
