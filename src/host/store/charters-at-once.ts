/**
 * A list of charters is read up to the first that brings it to this number of characters. A charter has up to six
 * million, so a page of a hundred does not have to fit into memory.
 */
export const CHARTERS_CHARACTERS_MAX = 8 * 1024 * 1024
