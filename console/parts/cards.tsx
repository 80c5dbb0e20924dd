import type { ComponentChildren } from 'preact'

/** A card for each of several, or the sentence that there are none. */
export function Cards<T>({
  of,
  none,
  children,
}: {
  readonly of: readonly T[]
  readonly none: string
  /** Gives an item of the list, with its key. */
  readonly children: (one: T) => ComponentChildren
}) {
  return of.length === 0 ? <p>{none}</p> : <ul class="cards">{of.map(children)}</ul>
}
