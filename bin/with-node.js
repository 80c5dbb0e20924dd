// Runs a TypeScript file on Node 24 or later: this very Node if it is new enough, else the one that
// `npm ci` brought as a platform package. Written in plain JavaScript because it must start on Node 20.19.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const NODE_MAJOR_MIN = 24

export function isNodeNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN
}

function findNode() {
  if (isNodeNewEnough()) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  try {
    const root = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(root, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

export function runOnNode24(args) {
  const node = findNode()
  if (node === undefined) {
    console.error(
      `Claviger needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}, and npm has none for ${process.platform} ${process.arch}. ` +
        'Install a newer Node and start again.',
    )
    process.exit(1)
  }
  // Over the channel the child learns when this process is gone, however it ended, and stops as well.
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}

if (process.argv[1]?.endsWith('with-node.js')) runOnNode24(process.argv.slice(2))
