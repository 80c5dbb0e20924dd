import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const END = "process.on('exit', (code) => console.log('exit', code)); (await import(MODULE)).exitSoon(7)"

test('a process whose threads have nothing to do ends with its code', (t) => {
  assert.deepEqual(ended(t, END), { status: 7, signal: null, stdout: 'exit 7\n' })
})

test('a process waits a moment for a thread, and ends with its code', (t) => {
  const script = `fs.open(FIFO, 'r', () => {}); ${END}; fs.openSync(FIFO, 'w')`
  assert.deepEqual(ended(t, script), { status: 7, signal: null, stdout: 'exit 7\n' })
})

test('a process whose thread waits for ever kills itself, after what is done at an exit', (t) => {
  const script = `fs.open(FIFO, 'r', () => {}); ${END}`
  assert.deepEqual(ended(t, script), { status: null, signal: 'SIGKILL', stdout: 'exit 7\n' })
})

/** How a script ended that may open FIFO, at which the thread of a reader waits for a writer. */
function ended(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-exit-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const fifo = join(folder, 'fifo')
  execFileSync('mkfifo', [fifo])
  const names = { MODULE: new URL('exit-now.ts', import.meta.url).href, FIFO: fifo }
  const constants = Object.entries(names).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
  const source = ["import fs from 'node:fs';", ...constants, script].join('\n')
  const args = ['--input-type=module', '--eval', source]
  const { status, signal, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, signal, stdout }
}
