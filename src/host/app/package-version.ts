import { readFileSync } from 'node:fs'

/** Of this clone or this package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  // It is ours, and names a version.
  return (JSON.parse(text) as { readonly version: string }).version
}
