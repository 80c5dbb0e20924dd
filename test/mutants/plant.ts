import { registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Mutation } from './mutations.ts'

// Loaded before everything else by the process of a test and by every process that it starts: one source file is
// read with one line changed. The files of the checkout stay as they are. A command that is built from them
// (`builtCommand`) has no fault in it.
const given = process.env['MUTANT']
if (given !== undefined) {
  // Written by run.ts.
  const { path, line, after } = JSON.parse(given) as Mutation
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const planted = pathToFileURL(root + path).href
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (url !== planted) return loaded
      const lines = Buffer.from(bytesOf(loaded.source)).toString().split('\n')
      lines[line - 1] = after
      return { ...loaded, source: lines.join('\n') }
    },
  })
}

function bytesOf(source: unknown): Uint8Array {
  if (typeof source === 'string') return Buffer.from(source)
  if (source instanceof Uint8Array) return source
  throw new Error('a source file is text or bytes')
}
