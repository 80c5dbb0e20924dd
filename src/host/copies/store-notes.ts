import { MOVED_NOTE, MOVING_NOTE } from '../store/moved-store.ts'

/** The beginning of the note of each running host. */
export const HOST_NOTE = 'host '

/** The note of a command that makes the first organization. */
export const FOUNDING_NOTE = 'founding'

/**
 * Whether a note is about the store itself or about its hosts, and not about its data: copies leave such notes out. A
 * host beside the earlier data has never run beside the copy, and others would wait for it.
 */
export function isStoreNote(name: string): boolean {
  return [MOVED_NOTE, MOVING_NOTE, FOUNDING_NOTE, 'probe'].includes(name) || name.startsWith(HOST_NOTE)
}
