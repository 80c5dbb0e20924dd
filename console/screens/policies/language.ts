/** What the editor's own file brings. */
export type Language = typeof import('./editor.ts')['language']
