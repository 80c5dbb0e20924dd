/** The list with this item in the place of the one that it is a new state of, or at its end. */
export function placed<T>(items: readonly T[], item: T, isSame: (other: T) => boolean): readonly T[] {
  return items.some(isSame) ? items.map((other) => (isSame(other) ? item : other)) : [...items, item]
}
