import { readFileSync } from 'node:fs'

/** The version of this clone or this package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  // Our own file, which contains a version.
  return (JSON.parse(text) as { readonly version: string }).version
}
