import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
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
  await refuses({ token: 'other' }, FILE, /^the device has no token with the label other: /)
  await refuses({ wrapped: '00'.repeat(256) }, FILE, /^pkcs11-tool failed/)
  await refuses({ module: '/tmp/evil.so' }, FILE, /does not say which key/)
  writeFileSync(pinPath, '0000')
  await refuses({}, FILE, /^pkcs11-tool failed/)
})

test('the PIN is no argument of a program, and the library comes from the settings alone', {
  skip,
}, async (t) => {
  const { means, watched, seen } = aWatchedDevice(t)
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, watched)) }
  await pkcs11.open(entry, FILE, watched)
  const args = seen()
  assert.match(args, /--decrypt/)
  assert.ok(!args.includes(PIN))
  const without = { ...means, environment: { ...means.environment, CLAVIGER_PKCS11_MODULE: undefined } }
  await assert.rejects(() => pkcs11.open(entry, FILE, without), /needs CLAVIGER_PKCS11_MODULE/)
})

test('a token is never given the last PIN that it takes: a service that starts again and again would lock it', {
  skip,
}, async (t) => {
  const { watched, seen, pinPath, flagsAre } = aWatchedDevice(t)
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, watched)) }
  const opens = async () => await pkcs11.open(entry, FILE, watched)
  writeFileSync(pinPath, '0000')
  await assert.rejects(opens, /CKR_PIN_INCORRECT/)
  for (const flags of ['final user PIN try', 'user PIN locked']) {
    flagsAre(flags)
    const before = seen().split('--login').length
    await assert.rejects(opens, /^RootKeyError: the token claviger was given a wrong PIN, and locks itself/)
    assert.equal(seen().split('--login').length, before)
  }
  // One wrong PIN of before does not keep a service with the right one from starting.
  flagsAre('user PIN count low')
  writeFileSync(pinPath, PIN)
  assert.deepEqual(Buffer.from((await opens()).reveal()), Buffer.from(key.reveal()))
})

test('a key that cannot hold the key of a file is named, and is no bug', { skip }, async (t) => {
  for (const keyType of ['EC:prime256v1', 'rsa:1024']) {
    const { means } = aDevice(t, { keyType })
    const parameters = { token: 'claviger', id: '01' }
    await assert.rejects(
      () => pkcs11.close(new Secret(randomBytes(32)), { parameters, file: FILE }, means),
      /^RootKeyError: the key under that id is not an RSA key of 2048 bits or more$/,
    )
  }
})

test('the PIN is given to the token with exactly this label, and to none whose label only begins so', {
  skip,
}, async (t) => {
  const { means, listed } = aDeviceThatListsAnotherFirst(t)
  assert.match(listed()[0]?.label ?? '', /^claviger-/)
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, means)) }
  assert.deepEqual(Buffer.from((await pkcs11.open(entry, FILE, means)).reveal()), Buffer.from(key.reveal()))
  const called = { ...entry, token: 'clav' }
  await assert.rejects(() => pkcs11.open(called, FILE, means), /no token with the label clav: /)
  assert.deepEqual(
    listed().filter(({ flags }) => flags.includes('user PIN count low')),
    [],
  )
})

test('a label that is no text, of another token, does not hide that a token is about to lock itself', {
  skip,
}, async (t) => {
  const { watched, pinPath, addToken, flagsAre } = aWatchedDevice(t)
  const parameters = { token: 'claviger', id: '01', hash: 'sha1' }
  const key = new Secret(randomBytes(32))
  const entry = { seal: 'pkcs11', ...(await pkcs11.close(key, { parameters, file: FILE }, watched)) }
  addToken('no\\377text')
  writeFileSync(pinPath, '0000')
  await assert.rejects(() => pkcs11.open(entry, FILE, watched), /CKR_PIN_INCORRECT/)
  flagsAre('final user PIN try')
  await assert.rejects(() => pkcs11.open(entry, FILE, watched), /locks itself after a few/)
})

/**
 * A device lists its tokens in an order of its own. One in four keeps the first token before three others: thirty such
 * devices in a row do not happen.
 */
function aDeviceThatListsAnotherFirst(t: TestContext) {
  for (let tried = 1; ; tried++) {
    const device = aDevice(t)
    const isFirst = (): boolean => device.listed()[0]?.label === 'claviger'
    for (let count = 1; count <= 3 && isFirst(); count++) device.addToken(`claviger-${count}`)
    if (!isFirst() || tried === 30) return device
  }
}

/** SoftHSM counts a wrong PIN, and locks nothing: what it says of the count is replaced. */
function aWatchedDevice(t: TestContext) {
  const { means, folder, pinPath, ...device } = aDevice(t)
  const [spy = '', args = '', said = ''] = ['pkcs11-tool', 'seen', 'said'].map((name) => join(folder, name))
  const flagsAre = (flags: string): void => writeFileSync(said, `s/user PIN count low/${flags}/\n`)
  flagsAre('user PIN count low')
  writeFileSync(
    spy,
    `#!/bin/sh
printf '%s\\n' "$@" >> ${args}
case "$*" in *--list-token-slots*) /usr/bin/pkcs11-tool "$@" | sed -f ${said};; *) exec /usr/bin/pkcs11-tool "$@";; esac
`,
    { mode: 0o700 },
  )
  const watched = { ...means, environment: { ...means.environment, PATH: `${folder}:/usr/bin:/bin` } }
  return { ...device, means, watched, pinPath, flagsAre, seen: () => readFileSync(args, 'utf8') }
}

function aDevice(t: TestContext, made?: Parameters<typeof aSoftHsm>[1]) {
  const { environment, ...device } = aSoftHsm(t, made)
  const means: SealMeans = { environment, randomBytes }
  return { means, ...device }
}
