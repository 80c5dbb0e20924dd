import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

/** A file for browsers as it is served: its name, and its bytes. */
export type BuiltFile = { readonly name: string; readonly bytes: Uint8Array }

/** `SHA256SUMS`: a line for each file, by which the package knows what it carries. */
export function sumsOf(files: readonly BuiltFile[]): BuiltFile {
  return { name: 'SHA256SUMS', bytes: Buffer.from(files.map(sumLine).join('')) }
}

/** The licenses of the packages whose code was built into files. @param what  starts a sentence */
export function licensesOf(what: string, project: URL, metafile: Pick<Metafile, 'inputs'>): string {
  const packages = packagesIn(metafile)
  const texts = packages.map((name) => {
    const folder = new URL(`node_modules/${name}/`, project)
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
      .map((one) => new URL(one, folder))
      .find((one) => existsSync(one))
    if (file === undefined) throw new Error(`${name} has no file with its license`)
    return `${name}\n\n${readFileSync(file, 'utf8').trim()}\n`
  })
  return `${what} is a part of Claviger, Apache License 2.0. It holds code of: ${packages.join(', ')}\n\n${texts.join('\n\n')}`
}

/** Sorted. */
function packagesIn({ inputs }: Pick<Metafile, 'inputs'>): readonly string[] {
  const names = Object.keys(inputs).flatMap((path) => {
    const within = path.split('node_modules/').at(-1)
    if (within === undefined || within === path) return []
    return within.split('/', within.startsWith('@') ? 2 : 1).join('/')
  })
  return [...new Set(names)].toSorted()
}

function sumLine({ name, bytes }: BuiltFile): string {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
}
