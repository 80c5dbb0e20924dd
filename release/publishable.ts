import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the `package.json` of a package of this clone as it is published: what only a clone needs goes. */
export function publishable(project: URL, folder: string): void {
  // It is ours.
  const file = JSON.parse(readFileSync(new URL('package.json', project), 'utf8')) as Record<string, unknown>
  // The folder has what is packed and nothing else; a list of files would leave npm-shrinkwrap.json out.
  const { private: _, devDependencies: __, scripts: ___, files: ____, ...kept } = file
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
}
