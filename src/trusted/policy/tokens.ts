/** A place in the source: UTF-16 code units, the end exclusive. */
export type Span = { readonly start: number; readonly end: number }

export type TokenKind = 'int' | 'string' | 'name' | 'symbol' | 'end'

/** `text` is the source text itself: a string keeps its quotes. */
export type Token = Span & { readonly kind: TokenKind; readonly text: string }
