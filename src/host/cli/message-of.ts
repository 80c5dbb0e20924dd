import { fileTrouble } from '../../trusted/base/file-trouble.ts'

/** An error for an operator: that of a file with the file and what to do, any other one as it says itself. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const trouble = fileTrouble(error)
  // The error of a connection or a listener is about no file, and names its address itself.
  if (trouble === undefined || !('syscall' in error) || 'address' in error) return error.message
  // Of two paths, the second is the one that the operator has named.
  const path = 'dest' in error ? error.dest : 'path' in error ? error.path : undefined
  return typeof path === 'string' ? `${path}: ${trouble}` : trouble
}
