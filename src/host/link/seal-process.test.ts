import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Secret } from '../../trusted/base/secret.ts'
import { sealedFileText } from '../../trusted/vault/keys/sealed-file.ts'
import { sealProcess } from './seal-process.ts'

const OPEN = { seal: 'pkcs11', place: 0, byPeople: false }

test('a seal that hangs is ended after 40 seconds, with all that its tool has started', async (t) => {
  const { settings, toolRuns, toolIsGone } = hangingTool(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { child, ended } = sealProcess(settings, OPEN, 'pipe')
  const { timers } = t.mock
  await toolRuns(child)
  const kill = t.mock.method(process, 'kill')
  timers.tick(39_999)
  assert.equal(kill.mock.callCount(), 0)
  timers.tick(1)
  // Said at once: without it, there would be nothing to wait for.
  assert.deepEqual(kill.mock.calls[0]?.arguments, [groupOf(child), 'SIGKILL'])
  assert.equal(await ended, 'SIGKILL')
  await toolIsGone()
})

test('nobody ends a seal that people open, however long they take', async (t) => {
  const { settings, toolRuns, toolIsGone } = hangingTool(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { child, ended } = sealProcess(settings, { ...OPEN, byPeople: true }, 'pipe')
  await toolRuns(child)
  t.mock.timers.tick(1_000_000_000)
  assert.ok(isThere(child))
  child.stdin?.end()
  await ended
  await toolIsGone()
})

test('a seal that nobody waits for any more takes its tool with it', async (t) => {
  const { settings, toolRuns, toolIsGone } = hangingTool(t)
  const { child, ended } = sealProcess(settings, OPEN, 'pipe')
  await toolRuns(child)
  // As when the host is killed.
  child.stdin?.end()
  await ended
  await toolIsGone()
})

/**
 * A root key file that is sealed by a device whose tool starts another program and waits for it. Both hold one end of a
 * pipe, so that its other end says when they run and when the last of them is gone.
 */
function hangingTool(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-seal-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode })
    return path
  }
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const watch = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => watch.kill())
  const gone = once(watch, 'exit')
  write('pkcs11-tool', `#!/bin/sh\nexec 9> ${pipe}\nsleep 1000 &\necho runs >&9\nwait\n`, 0o700)
  const wrapped = { seal: 'pkcs11', token: 'claviger', id: '01', hash: 'sha1', wrapped: 'ab' }
  const file = { key: new Secret(randomBytes(32)), name: 'ab'.repeat(16), sealedBy: [wrapped] }
  const settings = {
    PATH: `${folder}:${process.env['PATH']}`,
    CLAVIGER_ROOT_KEY: write('root.key', sealedFileText('{}', file, randomBytes)),
    CLAVIGER_PKCS11_MODULE: '/nonexistent.so',
    CLAVIGER_PKCS11_PIN_FILE: write('pin', '1234'),
  }
  const toolRuns = async (child: ChildProcess): Promise<void> => {
    t.after(() => isThere(child) && process.kill(groupOf(child), 'SIGKILL'))
    await once(watch.stdout, 'data')
  }
  return { settings, toolRuns, toolIsGone: async () => await gone }
}

/** Whether a process of the group is there: that of the seal, its tool, or what that has started. */
function isThere(child: ChildProcess): boolean {
  try {
    return process.kill(groupOf(child), 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

function groupOf({ pid }: ChildProcess): number {
  assert.ok(pid !== undefined)
  return -pid
}
