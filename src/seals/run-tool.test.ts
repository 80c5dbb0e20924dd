import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { seeded } from '../../test/support/seeded.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { runTool } from './run-tool.ts'

async function complaintOf(t: TestContext, complaint: Uint8Array): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-tool-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const printed = join(folder, 'printed')
  writeFileSync(printed, complaint)
  return await failureOf(folder, `cat ${printed} >&2\nexit 1`)
}

/** What is said of a tool that does this. */
async function failureOf(folder: string, script: string): Promise<string> {
  const tool = join(folder, 'tool')
  writeFileSync(tool, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  try {
    await runTool(tool, [], { environment: process.env })
  } catch (error) {
    assert.ok(error instanceof RootKeyError)
    return error.message.replace(tool, 'tool')
  }
  assert.fail('it has failed')
}

test('what a tool complains about is told, without anything that may be a key, however it is written', async (t) => {
  const random = seeded('what a tool prints')
  const key = Buffer.from(random.bytes(32))
  const hex = key.toString('hex')
  const forms = [
    hex,
    hex.toUpperCase(),
    key.toString('base64'),
    key.toString('base64url'),
    hex.replaceAll(/(..)/g, '$1 '),
    hex.replaceAll(/(..)/g, '$1:'),
    hex.replaceAll(/(..)/g, '$1\n'),
    `0x${hex}`,
    `${'x'.repeat(500)}${hex}`,
  ]
  for (const form of forms) {
    const told = await complaintOf(t, Buffer.from(`decrypted: ${form} end of it\n`))
    assert.match(told, /^tool failed \(exit code 1\): /)
    // No four bytes of it in a row.
    for (const [all, size] of [
      [told.toLowerCase().replaceAll(/[ :]/g, ''), 8],
      [told, 6],
    ] as const)
      for (let at = 0; at + size <= hex.length; at++)
        assert.ok(!all.includes(hex.slice(at, at + size)), `${form}: ${told}`)
    for (let at = 0; at + 6 <= 43; at++)
      assert.ok(!told.includes(key.toString('base64').slice(at, at + 6)), `${form}: ${told}`)
  }
  const raw = await complaintOf(t, Buffer.concat([Buffer.from('here: '), key, Buffer.from('\n')]))
  assert.equal(raw, 'tool failed (exit code 1), and printed what is no text')
})

test('what operators need to read is left as it is', async (t) => {
  for (const sentence of [
    'error: PKCS11 function C_Decrypt failed: rv = CKR_MECHANISM_PARAM_INVALID (0x71)',
    'cannot load /usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so: no such file',
    'ERROR: Esys_Load(0x9A2) - tpm:parameter(1):the authorization HMAC check failed',
  ])
    assert.equal(await complaintOf(t, Buffer.from(`${sentence}\n`)), `tool failed (exit code 1): ${sentence}`)
})

test('of a long complaint the end is told, and a tool that prints much more than a key is ended', async (t) => {
  const long = `${'something '.repeat(100)}and then the reason`
  const told = await complaintOf(t, Buffer.from(`${long}\n`))
  assert.match(told, /^tool failed \(exit code 1\): .*and then the reason$/)
  assert.ok(told.length <= 'tool failed (exit code 1): '.length + 300, told)

  const folder = mkdtempSync(join(tmpdir(), 'claviger-tool-'))
  t.after(() => rmSync(folder, { recursive: true }))
  assert.equal(await failureOf(folder, 'exec head -c 10000000 /dev/zero'), 'tool failed (SIGKILL)')
})
