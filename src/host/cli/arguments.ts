import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from './usage.ts'

export const text = { type: 'string' } as const
export const texts = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const

/** The options of every command that calls a running service. */
export const ofServices = { as: text, json: flag } as const

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
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options,
      tokens: true,
    })
    refuseEmpty(values)
    refuseRepeated(tokens, options)
    return { words: positionals, values }
  } catch (error) {
    throw new UsageError(error instanceof Error ? said(error) : String(error))
  }
}

/** One word, and options. */
export function oneAndOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  what: string,
  options: O,
) {
  const { words, values } = readWords(args, options)
  const [subject, ...others] = words
  if (subject === undefined || others.length > 0) throw new UsageError(`takes ${what}`)
  return { subject, values }
}

/**
 * Refuses options of the other commands of a group. They would have no effect, and seem to have one: a root key would
 * be in plain text in spite of `--passphrase-file`.
 */
export function takesOnly(values: object, taken: readonly string[], command: string): void {
  const other = Object.keys(values).find((name) => name !== 'json' && !taken.includes(name))
  if (other !== undefined)
    throw new UsageError(`${command} takes no --${other}: --help lists the options of each command`)
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

/** Of an option that is given twice, one value would be dropped without a word. */
function refuseRepeated(
  tokens: readonly { readonly kind: string; readonly name?: string }[],
  options: ParseArgsOptionsConfig,
): void {
  const given = tokens.flatMap(({ kind, name }) => (kind === 'option' && name !== undefined ? [name] : []))
  const twice = given.find((name, at) => {
    const { type, multiple = false } = options[name] ?? {}
    return type === 'string' && !multiple && given.indexOf(name) < at
  })
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice: give it once`)
}
