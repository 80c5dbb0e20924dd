import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { outputOf } from './output-of.ts'
import { readProjectFile } from './package-json.ts'
import { stage } from './stage.ts'

/** Builds the package of this clone, and leaves its tarball in the folder: the path of it. */
export function pack(root: URL, folder: string): string {
  const out = resolve(folder)
  const staged = join(out, 'package')
  mkdirSync(out, { recursive: true })
  stage(root, staged)
  outputOf('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', out], pathToFileURL(staged))
  rmSync(staged, { recursive: true })
  const { name, version } = readProjectFile(root)
  return join(out, `${name}-${version}.tgz`)
}
