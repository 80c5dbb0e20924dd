/** A whole number with the marks between its digits that the language has. */
export function grouped(amount: bigint): string {
  return amount.toLocaleString(document.documentElement.lang)
}
