/** A checked part, and whether it is as it should be. */
export type Finding = { readonly mark: 'ok' | '!!'; readonly text: string }
