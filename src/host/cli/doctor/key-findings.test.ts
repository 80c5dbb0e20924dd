import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RootKeysShown } from '../../../protocol/vault.ts'
import { keyFindings } from './key-findings.ts'

const held: RootKeysShown = {
  seals: 2,
  versions: [
    { version: 1, id: 'aa' },
    { version: 2, id: 'bb' },
  ],
  service: [
    { purpose: 'signer', version: 1, state: 'used', id: 'cc' },
    { purpose: 'webhook', version: 1, state: 'verifies', id: 'dd' },
    { purpose: 'webhook', version: 2, state: 'used', id: 'ee' },
  ],
}
const host = { ...held, id: 'h', name: 'north', at: 0 }

test('doctor names the versions of the root key and of the keys of the service', () => {
  const expected = {
    mark: 'ok',
    text:
      'keys: version 2 of the root key seals, of 1, 2. ' +
      "versions of the service's own: signer 1 (used); webhook 1 (verifies), 2 (used)",
  }
  assert.deepEqual(keyFindings([host], held, 1), [expected])
  assert.deepEqual(keyFindings([host], undefined, 1), [expected])
  assert.deepEqual(keyFindings([], undefined, 1), [])
})

test('doctor names each key that a host lacks, has alone, or has another one of', () => {
  const other = {
    ...host,
    versions: [{ version: 1, id: 'other' }, ...held.versions.slice(1), { version: 3, id: 'ff' }],
    service: held.service.slice(0, 2),
  }
  const [, ...problems] = keyFindings([other], held, 1)
  const isUnlike = (key: string) => ({
    mark: '!!',
    text: `keys: this machine and north do not hold the same ${key}: give both the same root key file`,
  })
  assert.deepEqual(problems, [
    isUnlike('version 1 of the root key'),
    isUnlike('version 2 of the webhook key'),
    isUnlike('version 3 of the root key'),
  ])
})

test('doctor names the holders that lack the version under which rows are sealed', () => {
  const older = { ...host, versions: held.versions.slice(0, 1) }
  const problems = keyFindings([older], held, 2).flatMap(({ mark, text }) => (mark === '!!' ? [text] : []))
  assert.match(
    problems[0] ?? '',
    /^keys: north does not hold version 2 of the root key, under which rows are sealed/,
  )
  assert.equal(problems.length, 2)
})

test('doctor believes nothing of a key that a host of an earlier version says nothing of', () => {
  const { service: _, ...silent } = host
  assert.deepEqual(
    keyFindings([silent], held, 1).map(({ mark }) => mark),
    ['ok'],
  )
})

test('doctor says which root key file was not taken, in characters that change no terminal', () => {
  const [, problem] = keyFindings([{ ...host, trouble: 'it is \u001b[2Jgone' }], held, 1)
  assert.equal(problem?.mark, '!!')
  assert.match(problem?.text ?? '', /^keys: north did not accept its root key file: it is /)
  assert.ok(!problem?.text.includes('\u001b'))
})
