import { fileURLToPath } from 'node:url'

const PACKAGES = '/node_modules/'

/**
 * What the vault process has to read to load its code: our modules (`src/` of a clone, `lib/` of the package), and the
 * packages that they import. Installers put these into the package's own folder, or beside it. Some link from there
 * into a folder of their own that encloses both, which is why it is the outermost.
 *
 * @param here  the URL of a module in a room of `host`
 */
export function codeOfVault(here: string): readonly string[] {
  const project = new URL('../../../', here)
  const outermost = project.pathname.indexOf(PACKAGES)
  const readable = [
    new URL('../../', here),
    new URL('package.json', project),
    new URL('node_modules/', project),
    ...(outermost < 0 ? [] : [new URL(project.pathname.slice(0, outermost + PACKAGES.length), project)]),
  ]
  return readable.map((file) => fileURLToPath(file))
}
