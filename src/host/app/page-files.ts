import { existsSync, readFileSync } from 'node:fs'
import { defineFailure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { ServedFile } from '../http/file-folder.ts'

/**
 * The files of the console, or of the frames, for browsers. In the package they are those that it contains; in a clone
 * they are built from the present sources. Building takes about half a second of a processor, at the first request for
 * one of them.
 */
export async function pageFiles(of: keyof Program, root = ROOT): Promise<readonly ServedFile[]> {
  // Beside `lib` in the package, with the built files; beside `src` in a clone, with the sources.
  const folder = new URL(`${of}/`, root)
  const program = new URL('build.ts', folder)
  return existsSync(program) ? await built(of, program) : carried(folder)
}

const ROOT = new URL('../../../', import.meta.url)

/** A line for each file of the package: its SHA-256, two blanks, its name. It is not served. */
const SUMS = 'SHA256SUMS'

function carried(folder: URL): readonly ServedFile[] {
  const sums = readFileSync(new URL(SUMS, folder), 'utf8')
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
    // Our own modules; the tests of the build check their types against these.
    const loaded = (await import(program.href)) as Program[typeof of]
    const files = await ('buildConsole' in loaded ? loaded.buildConsole() : loaded.buildFrames())
    return files.filter(({ name }) => name !== SUMS)
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
