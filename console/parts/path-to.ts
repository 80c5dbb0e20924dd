/** The address of a screen within the page. */
export function pathTo(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}
