/** The note with which a store that was moved is closed. */
export const MOVED_NOTE = 'moved'

/** Begins the note of each host that runs. */
export const HOST_NOTE = 'host '

/**
 * Whether a note is about a store itself, or about who serves it, and not about its data: no copy takes it along. A host that ran beside
 * the data of before has never run beside the copy, and would be waited for.
 */
export function isStoreNote(name: string): boolean {
  return name === MOVED_NOTE || name === 'probe' || name.startsWith(HOST_NOTE)
}
