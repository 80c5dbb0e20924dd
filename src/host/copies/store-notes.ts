/** The note with which a store that was moved is closed. */
export const MOVED_NOTE = 'moved'

/** Notes about a store itself, and not about its data: no copy takes them along. */
export const STORE_NOTES: ReadonlySet<string> = new Set([MOVED_NOTE, 'probe'])
