import { existsSync } from 'node:fs'

/** Where a package is that is not installed with Claviger, or how an operator gets it. */
type OptionalPackage =
  | { readonly kind: 'found'; readonly address: string; readonly howTo: string }
  | { readonly kind: 'missing'; readonly howTo: string }

/**
 * Looks for one of our own packages with dependencies of their own: in a clone, and beside an installed Claviger.
 *
 * @param name   its folder in `packages/`; it is published with `claviger-` before it
 * @param clone  for tests
 */
export function optionalPackage(name: string, clone = new URL('../../', import.meta.url)): OptionalPackage {
  const folder = new URL(`packages/${name}/`, clone)
  const source = new URL(`src/${name}.ts`, folder)
  if (existsSync(source)) {
    const howTo = `npm ci --ignore-scripts --prefix packages/${name}`
    return existsSync(new URL('node_modules/', folder))
      ? { kind: 'found', address: source.href, howTo }
      : { kind: 'missing', howTo }
  }
  const howTo = `npm install claviger-${name} beside claviger`
  try {
    return { kind: 'found', address: import.meta.resolve(`claviger-${name}`), howTo }
  } catch {
    // There is no such package in reach.
    return { kind: 'missing', howTo }
  }
}
