/** The value of a note by its name. */
export const NOTE = { name: 'note', text: 'SELECT value FROM notes WHERE name = $1' }
