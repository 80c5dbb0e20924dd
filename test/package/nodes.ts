import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Npm } from './npm.ts'

/** A Node that the package is for. */
export type Node = { readonly version: string; readonly program: string }

const OLDEST = '22.13.0'
const kept = fileURLToPath(new URL('../../node_modules/.cache/claviger-nodes/', import.meta.url))

/** The Node that runs this test. */
export const newestNode: Node = { version: process.versions.node, program: process.execPath }

/** The oldest Node that the package is for. npm brings it once, into the folder of caches. */
export function oldestNode({ npm }: Npm): Node {
  const [system, file] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node']
  const name = `node-${system}-${process.arch}`
  const folder = join(kept, OLDEST)
  const program = join(folder, 'node_modules', name, 'bin', file)
  if (existsSync(program)) return { version: OLDEST, program }
  mkdirSync(folder, { recursive: true })
  npm(['install', '--prefix', folder, '--no-save', '--prefer-offline', `${name}@${OLDEST}`], folder)
  return { version: OLDEST, program }
}
