import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_ORGANIZATION, NO_QUOTAS, settingsFrom, settingsText } from './settings.ts'

const quotas = { objects: { most: 10, since: 1 } }
const text = settingsText({ version: 1, bySubject: new Map([[EVERY_ORGANIZATION, quotas]]) })

test('the notes of quotas are read as they were written, and without one of them there are no quotas', () => {
  assert.deepEqual(settingsFrom('1', text), { version: 1, bySubject: new Map([['*', quotas]]) })
  assert.equal(settingsFrom(undefined, undefined), NO_QUOTAS)
  assert.equal(settingsFrom(null, text), NO_QUOTAS)
  assert.equal(settingsFrom(undefined, text), NO_QUOTAS)
  assert.equal(settingsFrom('1', undefined), NO_QUOTAS)
})

test('a note of quotas in another form is an error, and is not read as if there were none', () => {
  for (const wrong of ['null', '1', '"*"']) assert.throws(() => settingsFrom('1', wrong), /by organization/)
  for (const wrong of [{ objects: 10 }, { objects: { most: '10', since: 1 } }, { objects: { most: 10 } }, []])
    assert.throws(() => settingsFrom('1', JSON.stringify({ '*': wrong })), /each quota has a number/)
})
