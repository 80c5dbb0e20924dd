import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsOf } from './parts.ts'
import { settingsHelp, settingsTable } from './settings-pages.ts'
import { settings } from './settings.ts'

const names = settingsOf(settings).map(({ name }) => name)

test('each setting has one place in the configuration', () => {
  assert.ok(names.length > 20)
  assert.deepEqual(names, [...new Set(names)])
})

test('the help and the table name each setting once, with its default', () => {
  const rows = settingsTable().split('\n').slice(2)
  assert.deepEqual(
    rows.map((row) => /^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/.exec(row)?.[1]),
    names,
  )
  const entries = settingsHelp().split(/\n(?! {6})/)
  assert.deepEqual(
    entries.map((entry) => /^ {2}(\w+) \([^)]+\): \S/.exec(entry)?.[1]),
    names,
  )
})

test('the help fits a terminal of 120 columns, and has no marks of Markdown', () => {
  for (const line of settingsHelp().split('\n')) assert.ok(line.length <= 120, line)
  assert.doesNotMatch(settingsHelp(), /`|\]\(/)
})
