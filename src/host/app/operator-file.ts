import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** Where the command line finds a running service that holds the embedded store, and the key that shows it may ask. */
type OperatorFile = { readonly url: string; readonly key: string }

/** Readable by its owner alone, like the store that it lies beside. */
export function writeOperatorFile(config: Config, content: OperatorFile): void {
  const path = pathOf(config)
  // An earlier one may be left of a service that was killed; `wx` sees to it that the mode is ours.
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
}

export function readOperatorFile(config: Config): OperatorFile | undefined {
  try {
    // We wrote it.
    return JSON.parse(readFileSync(pathOf(config), 'utf8')) as OperatorFile
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export function removeOperatorFile(config: Config): void {
  rmSync(pathOf(config), { force: true })
}

function pathOf({ dataFolder }: Config): string {
  return join(dataFolder, 'operator.json')
}
