import { packageVersion } from '../app/package-version.ts'
import { readArguments } from './arguments.ts'

/** `claviger version`. */
export function version(args: readonly string[]): number {
  const { json = false } = readArguments(args, { json: { type: 'boolean' } })
  process.stdout.write(
    json ? `${JSON.stringify({ claviger: packageVersion() })}\n` : `claviger ${packageVersion()}\n`,
  )
  return 0
}
