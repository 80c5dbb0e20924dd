import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from './usage.ts'

/** The options of a command, and nothing beside them. @throws UsageError that names what it does not know */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
