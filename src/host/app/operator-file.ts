import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonIn } from '../../trusted/base/json-in.ts'
import { isPlain, type PlainOf, record, text } from '../../trusted/base/plain.ts'
import type { Config } from './config.ts'

const operatorFile = record({ url: text(2_048), key: text(100) })

/** The address of a running service that holds the embedded store, and the key that authorises the command line. */
type OperatorFile = PlainOf<typeof operatorFile>

/** Readable only by its owner, like the store beside it. */
export function writeOperatorFile(config: Config, content: OperatorFile): void {
  const path = pathOf(config)
  // A killed service may have left an earlier file; `wx` makes sure that the mode is ours.
  rmSync(path, { force: true })
  writeFileSync(path, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
}

/** Undefined if there is none, or if it was cut off when its service was killed. */
export function readOperatorFile(config: Config): OperatorFile | undefined {
  try {
    const found = jsonIn(readFileSync(pathOf(config), 'utf8'))
    return isPlain(operatorFile, found) ? found : undefined
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
