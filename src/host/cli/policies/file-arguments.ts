import { UsageError } from '../usage.ts'
import { flag, oneAndOptions } from '../arguments.ts'

/** One file, `--json` for output to programs, and `--guard` for commands that accept it. */
export function fileArguments(args: readonly string[], takes: { readonly guard: boolean }) {
  const { subject: path, values } = oneAndOptions(args, 'one file', { json: flag, guard: flag })
  const { json = false, guard = false } = values
  if (guard && !takes.guard) throw new UsageError('the file itself says whether the guard is on')
  return { path, json, guard }
}
