import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { test } from 'node:test'
import { newRootKeyFile, readRootKeyFile, RootKeyError } from './root-key.ts'

test('a root key file gives back its key', () => {
  const text = newRootKeyFile(randomBytes)
  const [root] = readRootKeyFile(text, undefined)
  assert.equal(root?.version, 1)
  assert.equal(Buffer.from(root.secret.reveal()).toString('hex'), JSON.parse(text).versions[0].key)
})

test('a root key under a passphrase opens with it and with no other, and the file does not hold it', () => {
  const text = newRootKeyFile((length) => new Uint8Array(length).fill(9), 'correct horse')
  assert.ok(!text.includes('09'.repeat(32)))
  const file = newRootKeyFile(randomBytes, 'correct horse')
  assert.equal(readRootKeyFile(file, 'correct horse')[0]?.secret.reveal().length, 32)
  assert.throws(() => readRootKeyFile(file, 'correct horsf'), RootKeyError)
  assert.throws(() => readRootKeyFile(file, undefined), /is encrypted/)
})

test('a damaged root key file is refused with a sentence and not with the key', () => {
  const file = newRootKeyFile(randomBytes)
  const key: string = JSON.parse(file).versions[0].key
  for (const damaged of [
    '',
    '{}',
    'null',
    file.replace(key, key.slice(2)),
    file.replace('"version": 1', '"version": 0'),
    file.slice(0, 40),
  ]) {
    assert.throws(
      () => readRootKeyFile(damaged, undefined),
      (error) => error instanceof RootKeyError && !error.message.includes(key),
    )
  }
})

test('a root key file that holds a version twice, or one that no seal could name, is refused', () => {
  const versions = (...numbers: readonly number[]) =>
    JSON.stringify({
      format: 'claviger root key 1',
      versions: numbers.map((version) => ({ version, key: '07'.repeat(32) })),
    })
  assert.deepEqual(
    readRootKeyFile(versions(3, 1, 999_999), undefined).map(({ version }) => version),
    [3, 1, 999_999],
  )
  assert.throws(() => readRootKeyFile(versions(1, 2, 2), undefined), /holds version 2 twice/)
  for (const bad of [0, 1.5, 1_000_000])
    assert.throws(() => readRootKeyFile(versions(1, bad), undefined), /from 1 to 999999/)
})

test('a root key does not print', () => {
  const [root] = readRootKeyFile(newRootKeyFile(randomBytes), undefined)
  assert.ok(!inspect(root, { depth: 9 }).includes(Buffer.from(root?.secret.reveal() ?? []).toString('hex')))
  assert.equal(JSON.stringify({ root }).includes('[secret]'), true)
})
