import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { programsMissing } from '../../test/support/programs.ts'
import { eventually } from '../../test/support/eventually.ts'
import { Secret } from '../trusted/base/secret.ts'
import { RootKeyError } from '../trusted/vault/root-key-error.ts'
import type { SealMeans } from './seal.ts'
import { tpm2 } from './tpm2.ts'

// The TPM is swtpm. No TPM in hardware was at hand.
const skip = programsMissing('swtpm', 'tpm2_unseal')
const FILE = 'ab'.repeat(16)

test('a TPM gives the key of a file back, another TPM does not', { skip }, async (t) => {
  const [here, there] = [await aTpm(t), await aTpm(t)]
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'tpm2', ...(await tpm2.close(key, { parameters: {}, file: FILE }, here.means)) }
  assert.deepEqual(bytes(await tpm2.open(entry, FILE, here.means)), bytes(key))
  assert.ok(!JSON.stringify(entry).includes(Buffer.from(key.reveal()).toString('hex')))
  await assert.rejects(
    () => tpm2.open(entry, FILE, there.means),
    (error) => error instanceof RootKeyError && error.message.startsWith('tpm2_load failed'),
  )
  await assert.rejects(() => tpm2.open({ ...entry, private: '00' }, FILE, here.means), RootKeyError)
  const gone = { ...here.means, environment: { ...here.means.environment, PATH: '/nonexistent' } }
  await assert.rejects(
    () => tpm2.open(entry, FILE, gone),
    /tpm2_createprimary failed \(it is not installed\)/,
  )
})

test('a key that is bound to registers is given as long as these are as they were', { skip }, async (t) => {
  const { means, run } = await aTpm(t)
  const key = new Secret(randomBytes(32))
  const parameters = { pcrs: 'sha256:7,16' }
  const entry = { seal: 'tpm2', ...(await tpm2.close(key, { parameters, file: FILE }, means)) }
  assert.deepEqual(bytes(await tpm2.open(entry, FILE, means)), bytes(key))
  // Another system was started.
  run('tpm2_pcrextend', `16:sha256=${'11'.repeat(32)}`)
  await assert.rejects(() => tpm2.open(entry, FILE, means), /^RootKeyError: tpm2_unseal failed/)
})

function bytes(secret: Secret): string {
  return Buffer.from(secret.reveal()).toString('hex')
}

/** Bare: there is no resource manager before it. */
async function aTpm(t: TestContext) {
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
  const environment = { PATH: process.env['PATH'], TPM2TOOLS_TCTI: `swtpm:path=${socket}` }
  const run = (name: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(name, args, { env: environment })
    assert.equal(status, 0, stderr.toString())
  }
  const means: SealMeans = { environment, randomBytes }
  return { means, run }
}
