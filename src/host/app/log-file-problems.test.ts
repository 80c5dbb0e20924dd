import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { logFileProblems } from './log-file-problems.ts'

test('a log is a file that can be appended to, or begun in a folder that is there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'there'), '')
  mkdirSync(join(folder, 'inner'))
  const problems = (path: string) => [
    ...logFileProblems({ requestLog: path, audit: { target: undefined, readsOf: () => false } }),
    ...logFileProblems({
      requestLog: 'off',
      audit: { target: { kind: 'file', path }, readsOf: () => false },
    }),
  ]
  for (const name of ['there', 'new', 'inner/new']) assert.deepEqual(problems(join(folder, name)), [])
  for (const [name, why] of [
    ['inner', /it is a folder/],
    ['absent/new', /there is no such file or folder/],
    ['there/new', /a part of the path is a file/],
    ['with \0', /null bytes/],
  ] as const) {
    const found = problems(join(folder, name))
    assert.equal(found.length, 2, name)
    for (const problem of found) assert.match(problem, why)
  }
  // A terminal takes the lines of requests; those of an audit are synced to a disk.
  assert.match(problems('/dev/null').join(), /^CLAVIGER_AUDIT names \/dev\/null, which cannot be written/)
  const socket = (name: string) => {
    const at = { transport: 'unix', path: join(folder, name) } as const
    return logFileProblems({
      requestLog: 'off',
      audit: { target: { kind: 'syslog', at }, readsOf: () => false },
    })
  }
  assert.deepEqual(socket('later.sock'), [])
  for (const name of ['there', 'inner']) assert.match(socket(name).join(), /which is no socket/)
  // Looking makes no file.
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ['inner', 'there'])
})
