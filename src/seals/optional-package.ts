import { existsSync } from 'node:fs'

/** The location of an optional package, or the way to install it. */
type OptionalPackage =
  | { readonly kind: 'found'; readonly address: string; readonly howTo: string }
  | { readonly kind: 'missing'; readonly howTo: string }

/** Ends a command of npm: a global claviger finds no package of the working folder. */
export const likeClaviger = ', with --global if claviger was installed so'

/**
 * Looks for one of our packages that have their own dependencies: in a clone, or beside an installed Claviger.
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
  const howTo = `npm install claviger-${name}${likeClaviger}`
  try {
    return { kind: 'found', address: import.meta.resolve(`claviger-${name}`), howTo }
  } catch {
    // The package was not found.
    return { kind: 'missing', howTo }
  }
}
