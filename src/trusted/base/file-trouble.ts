/**
 * Why the system refuses a file, and what to do, for an operator.
 *
 * @returns undefined for any other error
 */
export function fileTrouble(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(TROUBLES, code) ? TROUBLES[code] : undefined
}

const NO_RIGHT = 'this user lacks the right to it; run the command as its owner, or give this user the right'
const FULL = 'the disk is full; free space, and run the command again'

const TROUBLES: { readonly [code: string]: string } = {
  EACCES: NO_RIGHT,
  EDQUOT: FULL,
  EEXIST: 'it exists already; choose another name, or move it away',
  EISDIR: 'it is a folder; name a file',
  ELOOP: 'its links lead in a circle; check the path',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ENOENT: 'there is no such file or folder; check the path',
  ENOSPC: FULL,
  ENOTDIR: 'a part of the path is a file; check the path',
  EPERM: NO_RIGHT,
  EROFS: 'the disk is read only; choose another place',
}
