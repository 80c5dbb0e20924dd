import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The address of a running service that holds the embedded store, and the key that authorises the command line. */
type OperatorFile = { readonly url: string; readonly key: string }

/** Readable only by its owner, like the store beside it. */
export function writeOperatorFile(config: Config, content: OperatorFile): void {
  const path = pathOf(config)
  // A killed service may have left an earlier file; `wx` makes sure that the mode is ours.
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
}

export function readOperatorFile(config: Config): OperatorFile | undefined {
  try {
    // This program wrote it.
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
