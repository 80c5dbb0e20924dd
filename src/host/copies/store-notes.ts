import { MOVED_NOTE, MOVING_NOTE } from '../store/moved-store.ts'

/** Begins the note of each host that runs. */
export const HOST_NOTE = 'host '

/**
 * Whether a note is about a store itself, or about who serves it, and not about its data: no copy takes it along. A
 * host that ran beside the data of before has never run beside the copy, and would be waited for.
 */
export function isStoreNote(name: string): boolean {
  return [MOVED_NOTE, MOVING_NOTE, 'probe'].includes(name) || name.startsWith(HOST_NOTE)
}
