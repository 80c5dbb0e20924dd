/**
 * The users who may read the files of the root key, as set by the operator: an orchestrator mounts them with its own
 * modes, which chmod cannot change.
 */
export const KEY_READERS = ['owner', 'group', 'all'] as const

export type KeyReaders = (typeof KEY_READERS)[number]

/** Only the owner may ever write them. */
const FORBIDDEN = { owner: 0o077, group: 0o037, all: 0o033 } as const

export function isTooOpen(mode: number, readers: KeyReaders): boolean {
  return (mode & FORBIDDEN[readers]) !== 0
}

/** The advice for the operator about a file that is too open. */
export function tooOpenAdvice(mode: number): string {
  return `(mode ${(mode & 0o777).toString(8)}): chmod 600 it, or say with CLAVIGER_ROOT_KEY_READERS who may read it`
}
