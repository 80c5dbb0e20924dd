import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { programsMissing } from '../../test/support/programs.ts'
import { aSoftTpm } from '../../test/support/soft-tpm.ts'
import { Secret } from '../trusted/base/secret.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
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
  const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'pcrs'))
  await assert.rejects(() => tpm2.open({ ...rest, seal: 'tpm2' }, FILE, means), /tpm2_unseal failed/)
  // Another system was started.
  run('tpm2_pcrextend', `16:sha256=${'11'.repeat(32)}`)
  await assert.rejects(() => tpm2.open(entry, FILE, means), /^RootKeyError: tpm2_unseal failed/)
})

test('a TPM that takes no passwords, since another program gave it a wrong one, still gives the key', {
  skip,
}, async (t) => {
  const { means, run, fails } = await aTpm(t)
  const key = new Secret(randomBytes(32))
  run('tpm2_dictionarylockout', '--setup-parameters', '--max-tries=1', '--recovery-time=1000')
  const other = join(aFolder(t), 'other')
  run('tpm2_createprimary', '-Q', '-C', 'o', '-p', 'right', '-c', other)
  run('tpm2_flushcontext', '-t')
  for (const parameters of [{}, { pcrs: 'sha256:7' }]) {
    const entry = { seal: 'tpm2', ...(await tpm2.close(key, { parameters, file: FILE }, means)) }
    fails('tpm2_create', '-Q', '-C', other, '-P', 'wrong')
    run('tpm2_flushcontext', '-t')
    assert.deepEqual(bytes(await tpm2.open(entry, FILE, means)), bytes(key))
  }
})

test('a file that an earlier version sealed still opens', { skip }, async (t) => {
  const { means, run } = await aTpm(t)
  const folder = aFolder(t)
  const [parent = '', open = '', sealed = '', key = ''] = ['parent', 'public', 'private', 'key'].map((name) =>
    join(folder, name),
  )
  writeFileSync(key, randomBytes(32))
  run('tpm2_createprimary', '-Q', '-C', 'o', '-G', 'ecc', '-g', 'sha256', '-c', parent)
  run('tpm2_flushcontext', '-t')
  run('tpm2_create', '-Q', '-C', parent, '-u', open, '-r', sealed, '-i', key)
  run('tpm2_flushcontext', '-t')
  const [publicHex, privateHex] = [open, sealed].map((path) => readFileSync(path, 'hex'))
  const entry = { seal: 'tpm2', public: publicHex, private: privateHex }
  assert.equal(bytes(await tpm2.open(entry, FILE, means)), readFileSync(key, 'hex'))
})

function aFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-tpm-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function bytes(secret: Secret): string {
  return Buffer.from(secret.reveal()).toString('hex')
}

async function aTpm(t: TestContext) {
  const { environment, run } = await aSoftTpm(t)
  const means: SealMeans = { environment, randomBytes }
  const fails = (name: string, ...args: readonly string[]): void =>
    assert.notEqual(spawnSync(name, args, { env: environment }).status, 0)
  return { means, run, fails }
}
