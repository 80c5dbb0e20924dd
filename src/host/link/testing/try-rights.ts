import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'

// Runs with the rights of a vault, and prints what it could do.
const key = process.argv[2] ?? ''
const attempts: readonly (readonly [string, () => unknown])[] = [
  ['read its key', () => readFileSync(key)],
  ['read its code', () => readFileSync(import.meta.filename)],
  ['read a file beside its key', () => readFileSync(`${key}.beside`)],
  ['read the users of the machine', () => readFileSync('/etc/passwd')],
  ['write its key', () => writeFileSync(key, '')],
  ['write a file', () => mkdtempSync(join(dirname(key), 'made-'))],
  ['start a process', () => spawnSync(process.execPath, ['--version']).error],
  ['start a thread', () => new Worker('', { eval: true }).unref()],
]
const could = attempts.flatMap(([what, attempt]) => {
  try {
    attempt()
    return [what]
  } catch (error) {
    if (Object(error).code !== 'ERR_ACCESS_DENIED') throw error
    return []
  }
})
process.stdout.write(JSON.stringify(could))
