import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { eventually } from './eventually.ts'

/** A TPM in software, with no resource manager before it. */
export async function aSoftTpm(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-swtpm-'))
  const socket = join(folder, 'tpm')
  const server = `type=unixio,path=${socket}`
  const options = ['--tpm2', '--flags', 'not-need-init,startup-clear', '--tpmstate', `dir=${folder}`]
  const tpm = spawn('swtpm', ['socket', ...options, '--server', server, '--ctrl', `${server}.ctrl`])
  t.after(async () => {
    tpm.kill('SIGKILL')
    if (tpm.exitCode === null && tpm.signalCode === null) await once(tpm, 'exit')
    rmSync(folder, { recursive: true })
  })
  await eventually(() => existsSync(socket))
  const environment = { PATH: process.env['PATH'] ?? '', TPM2TOOLS_TCTI: `swtpm:path=${socket}` }
  const run = (name: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(name, args, { env: environment })
    assert.equal(status, 0, stderr.toString())
  }
  return { environment, run }
}
