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
    refuseEmpty(values)
    return { words: positionals, values }
  } catch (error) {
    throw new UsageError(error instanceof Error ? said(error) : String(error))
  }
}

/** Node advises to write an unknown option as a word, which none of the commands takes. */
function said(error: Error): string {
  const [unknown = '', advice] = error.message.split('. To specify a positional argument')
  return advice === undefined
    ? error.message
    : `${unknown}: --help lists the options; what is a setting, such as CLAVIGER_PORT, comes from the environment`
}

/**
 * An empty value comes from an unset variable of a script. As a path it would mean the working folder, or fail only
 * after long work.
 */
function refuseEmpty(values: object): void {
  for (const [name, given] of Object.entries(values))
    for (const value of [given].flat())
      if (typeof value === 'string' && value.trim() === '')
        throw new UsageError(`--${name} is empty: give it a value, or leave it out`)
}
