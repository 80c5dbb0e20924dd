import { readFileSync } from 'node:fs'

/** What is kept of the project's own `package.json`; npm reads the rest of it for the tools of a clone. */
export type ProjectFile = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** The versions of Node that run the package. From 22.13 on SQLite and the permission model need no flag. */
const ENGINES = '^22.13.0 || >=24'

export function readProjectFile(root: URL): ProjectFile {
  // It is ours, and npm refuses it without the others.
  const file = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as ProjectFile
  return { ...file, dependencies: file.dependencies ?? {} }
}

/** The `package.json` of the package: no Node, no tools, and nothing that runs when it is installed. */
export function packageJson({ name, version, description, license, dependencies }: ProjectFile): object {
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: ENGINES },
    bin: { claviger: 'bin/claviger.js' },
    exports: {
      './testing': {
        types: './lib/host/emulator/start-claviger.d.ts',
        default: './lib/host/emulator/start-claviger.js',
      },
      './package.json': './package.json',
    },
    dependencies,
  }
}

/** Makes every installation bring the very packages that the tests of this version ran with, by their digests. */
export function shrinkwrap(file: ProjectFile, packages: Readonly<Record<string, object>>): object {
  const { name, version, license, dependencies } = file
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name, version, license, dependencies }, ...packages },
  }
}
