import { parseArgs } from 'node:util'
import { UsageError } from '../usage.ts'

/** One file, `--json` for an answer that programs read, and `--guard` where a command takes it. */
export function fileArguments(args: readonly string[], takes: { readonly guard: boolean }) {
  const { values, positionals } = parsed(args)
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) throw new UsageError('takes one file')
  const { json = false, guard = false } = values
  if (guard && !takes.guard) throw new UsageError('the file itself says whether the guard is on')
  return { path, json, guard }
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { json: flag, guard: flag } })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
