/** Who may read the files of the root key, as the operator says: an orchestrator hands them over as it does, and chmod is of no use there. */
export const KEY_READERS = ['owner', 'group', 'all'] as const

export type KeyReaders = (typeof KEY_READERS)[number]

/** Nobody but the owner may ever write them. */
const FORBIDDEN = { owner: 0o077, group: 0o037, all: 0o033 } as const

export function isTooOpen(mode: number, readers: KeyReaders): boolean {
  return (mode & FORBIDDEN[readers]) !== 0
}

/** What to do about a file that is, in words for the operator. */
export function tooOpenAdvice(mode: number): string {
  return `(mode ${(mode & 0o777).toString(8)}): chmod 600 it, or say with CLAVIGER_ROOT_KEY_READERS who may read it`
}
