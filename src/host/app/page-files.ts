import { existsSync, readFileSync } from 'node:fs'
import { defineFailure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { ServedFile } from '../http/file-folder.ts'

/**
 * The files that browsers get of the console, or of the frames: in the package those that it carries, in a clone what
 * is built of the sources as they stand. Building takes about half a second of a processor, when one of them is first
 * asked for.
 */
export async function pageFiles(of: keyof Program, root = ROOT): Promise<readonly ServedFile[]> {
  // Beside `lib` in the package, where it holds what was built; beside `src` in a clone, where it holds the sources.
  const folder = new URL(`${of}/`, root)
  const program = new URL('build.ts', folder)
  return existsSync(program) ? await built(of, program) : carried(folder)
}

const ROOT = new URL('../../../', import.meta.url)

/** A line for each file of the package: its SHA-256, two blanks, its name. */
function carried(folder: URL): readonly ServedFile[] {
  const sums = readFileSync(new URL('SHA256SUMS', folder), 'utf8')
  return [...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name = '']) => ({
    name,
    bytes: readFileSync(new URL(name, folder)),
  }))
}

type Build = () => Promise<readonly ServedFile[]>
type Program = {
  readonly console: { readonly buildConsole: Build }
  readonly frames: { readonly buildFrames: Build }
}

async function built(of: keyof Program, program: URL): Promise<readonly ServedFile[]> {
  try {
    // They are ours, and their types are checked against these in the tests of what is built.
    const loaded = (await import(program.href)) as Program[typeof of]
    return await ('buildConsole' in loaded ? loaded.buildConsole() : loaded.buildFrames())
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw pagesNotBuilt({ of })
    throw error
  }
}

const pagesNotBuilt = defineFailure<{ readonly of: string }>({
  kind: 'pagesNotBuilt',
  code: UNAVAILABLE,
  say: ({ of }) =>
    `the ${of} of a clone ${of === 'frames' ? 'are' : 'is'} built with tools that are not installed here: run npm ci without --omit=dev, and start the service again`,
})
