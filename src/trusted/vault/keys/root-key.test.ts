import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { test } from 'node:test'
import { newRootKeyFile, readRootKeyFile, rootKeyFile } from './root-key.ts'
import { NO_KEYS, passphraseKeys } from './file-keys.ts'
import { holdsAll, neededKeys } from './needed-keys.ts'
import { Secret } from '../../base/secret.ts'
import { revealed } from '../../base/testing/revealed.ts'
import type { RootKeys } from './keyring.ts'
import { RootKeyError } from './root-key-error.ts'

test('a root key file gives back its key', async () => {
  const text = await newRootKeyFile(randomBytes)
  const {
    versions: [root],
  } = await opened(text, undefined)
  assert.equal(root?.version, 1)
  assert.equal(Buffer.from(root.secret.reveal()).toString('hex'), JSON.parse(text).versions[0].key)
})

test('a root key under a passphrase opens with it and with no other, and the file does not hold it', async () => {
  const text = await newRootKeyFile((length) => new Uint8Array(length).fill(9), 'correct horse')
  assert.ok(!text.includes('09'.repeat(32)))
  const file = await newRootKeyFile(randomBytes, 'correct horse')
  assert.equal((await opened(file, 'correct horse')).versions[0]?.secret.reveal().length, 32)
  await assert.rejects(() => opened(file, 'correct horsf'), RootKeyError)
  await assert.rejects(() => opened(file, undefined), /is encrypted/)
})

test('a damaged root key file is refused with a sentence and not with the key', async () => {
  const file = await newRootKeyFile(randomBytes)
  const key: string = JSON.parse(file).versions[0].key
  for (const damaged of [
    '',
    '{}',
    'null',
    file.replace(key, key.slice(2)),
    file.replace('"version": 1', '"version": 0'),
    file.slice(0, 40),
  ]) {
    await assert.rejects(
      () => opened(damaged, undefined),
      (error) => error instanceof RootKeyError && !error.message.includes(key),
    )
  }
})

test('a root key file that holds a version twice, or one that no seal could name, is refused', async () => {
  const versions = (...numbers: readonly number[]) =>
    JSON.stringify({
      format: 'claviger root key 1',
      versions: numbers.map((version) => ({ version, key: '07'.repeat(32) })),
    })
  assert.deepEqual(
    (await opened(versions(3, 1, 999_999), undefined)).versions.map(({ version }) => version),
    [3, 1, 999_999],
  )
  await assert.rejects(() => opened(versions(1, 2, 2), undefined), /holds version 2 twice/)
  for (const bad of [0, 1.5, 1_000_000])
    await assert.rejects(() => opened(versions(1, bad), undefined), /from 1 to 999999/)
})

test('a file whose versions have salts of their own needs the key of each of them', async () => {
  const file = async (): Promise<string> => await newRootKeyFile(randomBytes, 'correct horse')
  const [one, other] = [JSON.parse(await file()), JSON.parse(await file())]
  const [version] = other.versions
  const needed = neededKeys(
    JSON.stringify({ ...one, versions: [...one.versions, { ...version, version: 2 }] }),
  )
  assert.deepEqual(needed.names, [one.versions[0].salt, version.salt])
  assert.deepEqual(needed.seals, [{ seal: 'passphrase', salts: needed.names }])
  assert.deepEqual(neededKeys(await newRootKeyFile(randomBytes)), { names: [], seals: [] })
  assert.equal(holdsAll(await passphraseKeys(needed.names.slice(0, 1), 'correct horse'), needed), false)
  assert.equal(holdsAll(await passphraseKeys(needed.names, 'correct horse'), needed), true)
})

test('a new root key is wiped once it is written', async (t) => {
  const seen = revealed(t)
  await newRootKeyFile(randomBytes)
  assert.deepEqual(
    [...seen].map((bytes) => bytes.every((byte) => byte === 0)),
    [true],
  )
})

test('a root key does not print', async () => {
  const {
    versions: [root],
  } = await opened(await newRootKeyFile(randomBytes), undefined)
  assert.ok(!inspect(root, { depth: 9 }).includes(Buffer.from(root?.secret.reveal() ?? []).toString('hex')))
  assert.equal(JSON.stringify({ root }).includes('[secret]'), true)
})

const secret = (byte: number): Secret => new Secret(new Uint8Array(32).fill(byte))
const held: RootKeys = {
  versions: [
    { version: 1, secret: secret(1) },
    { version: 2, secret: secret(2) },
  ],
  seals: 1,
  service: [{ purpose: 'signer', version: 1, state: 'used', secret: secret(3) }],
}

test('a file says which version seals and which keys the service has, in the clear and under a passphrase', async () => {
  for (const passphrase of [undefined, 'correct horse']) {
    const text = await rootKeyFile(held, randomBytes, passphrase)
    assert.deepEqual(plain(await opened(text, passphrase)), plain(held))
    assert.equal(text.includes('01'.repeat(32)), passphrase === undefined)
  }
})

test('a key of a file under a passphrase opens in no other place of the file', async () => {
  const file = JSON.parse(await rootKeyFile(held, randomBytes, 'correct horse'))
  const [first, second] = file.versions
  const swapped = [
    { ...first, version: 2 },
    { ...second, version: 1 },
  ]
  const foreign = [{ ...file.service[0], purpose: 'otp' }]
  for (const changed of [{ versions: swapped }, { service: foreign }])
    await assert.rejects(
      () => opened(JSON.stringify({ ...file, ...changed }), 'correct horse'),
      /the passphrase does not open/,
    )
})

test('a file is refused whose sealing version it does not hold, or that names a key of the service that is none', async () => {
  const file = JSON.parse(await rootKeyFile(held, randomBytes, undefined))
  const bad = [
    { seals: 3 },
    { seals: '1' },
    { seals: undefined },
    { versions: [] },
    { versions: [null] },
    { service: {} },
    { service: [{ ...file.service[0], purpose: 'root' }] },
    { service: [{ ...file.service[0], state: 'gone' }] },
    { service: [{ ...file.service[0], until: 'soon' }] },
  ]
  for (const changed of bad)
    await assert.rejects(() => opened(JSON.stringify({ ...file, ...changed }), undefined), RootKeyError)
})

async function opened(text: string, passphrase: string | undefined): Promise<RootKeys> {
  const { names } = neededKeys(text)
  return readRootKeyFile(text, passphrase === undefined ? NO_KEYS : await passphraseKeys(names, passphrase))
}

function plain({ versions, seals, service }: RootKeys): unknown {
  const shown = <T extends { readonly secret: Secret }>(keys: readonly T[]) =>
    keys.map((key) => ({ ...key, secret: Buffer.from(key.secret.reveal()).toString('hex') }))
  return { versions: shown(versions), seals, service: shown(service) }
}
