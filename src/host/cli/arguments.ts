import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from './usage.ts'

/**
 * The options of a command that takes only options.
 *
 * @throws UsageError with the name of an unknown argument
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  const { words, values } = readWords(args, options)
  const [unexpected] = words
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument '${unexpected}'`)
  return values
}

/** The words of a command, and its options. @throws UsageError with the name of an unknown option */
export function readWords<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    return { words: positionals, values }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
