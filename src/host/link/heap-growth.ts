/**
 * A flag of V8: the old generation grows by half between two collections, and not several times over. Most of what gets
 * there is left over from requests, and a collection finds little that lives.
 */
export const HEAP_GROWTH = '--heap-growing-percent=50'
