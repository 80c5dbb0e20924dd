import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from '../usage.ts'

export const text = { type: 'string' } as const
export const texts = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const

/** What every command takes that asks a running service. */
export const ofServices = { as: text, json: flag } as const

/** One word, and options. */
export function oneAndOptions<const O extends ParseArgsOptionsConfig>(
  args: readonly string[],
  what: string,
  options: O,
) {
  const { values, positionals } = parsed(args, options)
  const [subject, ...others] = positionals
  if (subject === undefined || others.length > 0) throw new UsageError(`takes ${what}`)
  return { subject, values }
}

function parsed<const O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
