import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { programsMissing } from '../../test/support/programs.ts'
import { aSoftHsm, PIN } from '../../test/support/soft-hsm.ts'
import { Secret } from '../trusted/base/secret.ts'
import { RootKeyError } from '../trusted/vault/keys/root-key-error.ts'
import { pkcs11 } from './pkcs11.ts'
import type { SealMeans } from './seal.ts'

// The device is SoftHSM. No other device was at hand.
const skip = programsMissing('softhsm2-util', 'pkcs11-tool')
const FILE = 'ab'.repeat(16)

test('a PKCS#11 device gives the key of a file back, to its PIN alone', { skip }, async (t) => {
  const { means, pinPath } = aDevice(t)
  const key = new Secret(randomBytes(32))
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, means)) }
  assert.deepEqual(Buffer.from((await pkcs11.open(entry, FILE, means)).reveal()), Buffer.from(key.reveal()))
  assert.ok(!JSON.stringify(entry).includes(Buffer.from(key.reveal()).toString('hex')))

  const refuses = async (change: object, file: string, why: RegExp) =>
    await assert.rejects(
      () => pkcs11.open({ ...entry, ...change }, file, means),
      (error) => error instanceof RootKeyError && why.test(error.message) && !error.message.includes(PIN),
    )
  await refuses({}, 'cd'.repeat(16), /something else than the key of this file/)
  await refuses({ id: '02' }, FILE, /^pkcs11-tool failed/)
  await refuses({ token: 'other' }, FILE, /^pkcs11-tool failed/)
  await refuses({ wrapped: '00'.repeat(256) }, FILE, /^pkcs11-tool failed/)
  await refuses({ module: '/tmp/evil.so' }, FILE, /does not say which key/)
  writeFileSync(pinPath, '0000')
  await refuses({}, FILE, /^pkcs11-tool failed/)
})

test('the PIN is no argument of a program, and the library comes from the settings alone', {
  skip,
}, async (t) => {
  const { means, folder } = aDevice(t)
  const spy = join(folder, 'pkcs11-tool')
  const seen = join(folder, 'seen')
  writeFileSync(spy, `#!/bin/sh\nprintf '%s\\n' "$@" >> ${seen}\nexec /usr/bin/pkcs11-tool "$@"\n`, {
    mode: 0o700,
  })
  const watched = { ...means, environment: { ...means.environment, PATH: `${folder}:/usr/bin:/bin` } }
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, watched)) }
  await pkcs11.open(entry, FILE, watched)
  const args = spawnSync('cat', [seen]).stdout.toString()
  assert.match(args, /--decrypt/)
  assert.ok(!args.includes(PIN))
  const without = { ...means, environment: { ...means.environment, CLAVIGER_PKCS11_MODULE: undefined } }
  await assert.rejects(() => pkcs11.open(entry, FILE, without), /needs CLAVIGER_PKCS11_MODULE/)
})

function aDevice(t: TestContext) {
  const { environment, ...device } = aSoftHsm(t)
  const means: SealMeans = { environment, randomBytes }
  return { means, ...device }
}
