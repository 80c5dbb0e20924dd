import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { namedFileProblems } from './named-files.ts'

const NONE = {
  requestLog: 'off',
  dataFolder: '/nowhere',
  audit: { target: undefined, readsOf: () => false },
  archives: undefined,
} as const

test('a log is a file that can be appended to, or begun in a folder that is there', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'there'), '')
  mkdirSync(join(folder, 'inner'))
  const problems = async (path: string, dataFolder: string = NONE.dataFolder) => [
    ...(await namedFileProblems({ ...NONE, dataFolder, requestLog: path })),
    ...(await namedFileProblems({
      ...NONE,
      dataFolder,
      audit: { ...NONE.audit, target: { kind: 'file', path } },
    })),
  ]
  for (const name of ['there', 'new', 'inner/new']) assert.deepEqual(await problems(join(folder, name)), [])
  // The first start makes the data folder after this look, and a service may have no other in which it may write.
  const data = join(folder, 'data')
  assert.deepEqual(await problems(join(data, 'service.log'), data), [])
  assert.equal((await problems(join(data, 'absent', 'service.log'), data)).length, 2)
  for (const [name, why] of [
    ['inner', /it is a folder/],
    ['absent/new', /there is no such file or folder/],
    ['there/new', /a part of the path is a file/],
    ['with \0', /null bytes/],
  ] as const) {
    const found = await problems(join(folder, name))
    assert.equal(found.length, 2, name)
    for (const problem of found) assert.match(problem, why)
  }
  // A terminal takes the lines of requests; those of an audit are synced to a disk.
  assert.match(
    (await problems('/dev/null')).join(),
    /^CLAVIGER_AUDIT names \/dev\/null, which cannot be written/,
  )
  const socket = async (name: string) => {
    const at = { transport: 'unix', path: join(folder, name) } as const
    return await namedFileProblems({ ...NONE, audit: { ...NONE.audit, target: { kind: 'syslog', at } } })
  }
  assert.deepEqual(await socket('later.sock'), [])
  for (const name of ['there', 'inner']) assert.match((await socket(name)).join(), /which is no socket/)
  const archives = async (name: string) => await namedFileProblems({ ...NONE, archives: join(folder, name) })
  assert.deepEqual([...(await archives('later')), ...(await archives('inner'))], [])
  assert.match((await archives('there')).join(), /^CLAVIGER_ARCHIVES names .*there, which is no folder/)
  assert.match((await archives('there/in')).join(), /^CLAVIGER_ARCHIVES names .*in, which is no folder/)
  assert.deepEqual(await namedFileProblems({ ...NONE, archives: 's3://bucket/prefix' }), [])
  // Looking makes no file.
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ['inner', 'there'])
})

test('a storage of archives that fails, or does not answer, does not keep the service from starting', async () => {
  const config = { ...NONE, archives: '/archives' }
  const endless = async (): Promise<never> => await new Promise(() => undefined)
  const stale = Object.assign(new Error('Stale file handle'), { code: 'ESTALE' })
  for (const looks of [
    { lookAt: async () => await Promise.reject(stale), patience: endless },
    { lookAt: endless, patience: async () => {} },
  ])
    assert.deepEqual(await namedFileProblems(config, looks), [])
})
