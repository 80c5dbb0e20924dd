import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { namedFileProblems } from './named-files.ts'

const NONE = {
  requestLog: 'off',
  audit: { target: undefined, readsOf: () => false },
  archives: undefined,
} as const

test('a log is a file that can be appended to, or begun in a folder that is there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'there'), '')
  mkdirSync(join(folder, 'inner'))
  const problems = (path: string) => [
    ...namedFileProblems({ ...NONE, requestLog: path }),
    ...namedFileProblems({ ...NONE, audit: { ...NONE.audit, target: { kind: 'file', path } } }),
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
    return namedFileProblems({ ...NONE, audit: { ...NONE.audit, target: { kind: 'syslog', at } } })
  }
  assert.deepEqual(socket('later.sock'), [])
  for (const name of ['there', 'inner']) assert.match(socket(name).join(), /which is no socket/)
  const archives = (name: string) => namedFileProblems({ ...NONE, archives: join(folder, name) })
  assert.deepEqual([...archives('later'), ...archives('inner')], [])
  assert.match(archives('there').join(), /^CLAVIGER_ARCHIVES names .*there, which is no folder/)
  assert.deepEqual(namedFileProblems({ ...NONE, archives: 's3://bucket/prefix' }), [])
  // Looking makes no file.
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ['inner', 'there'])
})
