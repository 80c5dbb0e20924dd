import type { ParseArgsOptionsConfig } from 'node:util'
import { readWords } from '../arguments.ts'
import { UsageError } from '../usage.ts'

export const text = { type: 'string' } as const
export const texts = { type: 'string', multiple: true } as const
export const flag = { type: 'boolean' } as const

/** The options of every command that calls a running service. */
export const ofServices = { as: text, json: flag } as const

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
