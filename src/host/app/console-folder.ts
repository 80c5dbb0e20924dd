import { existsSync, readFileSync } from 'node:fs'
import { defineFailure, UNAVAILABLE } from '../../trusted/base/failure.ts'
import type { FileFolder, ServedFile } from '../http/file-folder.ts'
import { pageHeaders } from '../http/page-headers.ts'

/** The pages of the console, which are served under `/console/`. */
export const consoleFolder: FileFolder = {
  path: '/console/',
  headers: pageHeaders(),
  files: consoleFiles,
}

/** Beside `lib` in the package, where it holds what was built; beside `src` in a clone, where it holds the sources. */
const FOLDER = new URL('../../../console/', import.meta.url)

/**
 * The files of the console: in the package those that it carries, in a clone what is built of the sources as they stand. Building takes
 * about half a second of a processor, when the console is first asked for.
 */
async function consoleFiles(): Promise<readonly ServedFile[]> {
  const program = new URL('build.ts', FOLDER)
  return existsSync(program) ? await built(program) : carried()
}

/** A line for each file of the package: its SHA-256, two blanks, its name. */
function carried(): readonly ServedFile[] {
  const sums = readFileSync(new URL('SHA256SUMS', FOLDER), 'utf8')
  return [...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name = '']) => ({
    name,
    bytes: readFileSync(new URL(name, FOLDER)),
  }))
}

type Program = { readonly buildConsole: () => Promise<readonly ServedFile[]> }

async function built(program: URL): Promise<readonly ServedFile[]> {
  try {
    // It is ours, and its types are checked against this one in the test of the console's files.
    const { buildConsole } = (await import(program.href)) as Program
    return await buildConsole()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw consoleNotBuilt()
    throw error
  }
}

const consoleNotBuilt = defineFailure({
  kind: 'consoleNotBuilt',
  code: UNAVAILABLE,
  say: () =>
    'the console of a clone is built with tools that are not installed here: run npm ci without --omit=dev, and start the service again',
})
