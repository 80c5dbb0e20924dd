import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { privateText } from './private-text.ts'

test('a file that others may read is refused, unless the operator has named them in a known word', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-private-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'root.key')
  writeFileSync(path, 'the key')
  const read = (mode: number, said: string | undefined): string => {
    chmodSync(path, mode)
    return privateText(path, 'root key file', said)
  }
  for (const said of [undefined, 'owner', 'group', 'all', 'nobody'])
    assert.equal(read(0o600, said), 'the key')
  assert.equal(read(0o640, 'group'), 'the key')
  assert.equal(read(0o644, 'all'), 'the key')
  for (const [mode, said] of [
    [0o640, undefined],
    [0o640, 'everybody'],
    [0o644, 'group'],
    [0o664, 'all'],
  ] as const)
    assert.throws(() => read(mode, said), {
      name: 'RootKeyError',
      message: new RegExp(`^the root key file ${path} can be read by others \\(mode ${mode.toString(8)}\\)`),
    })
  assert.throws(() => privateText(join(folder, 'none'), 'passphrase file', undefined), {
    name: 'RootKeyError',
    message: /^the passphrase file \S+ cannot be read: there is no such file or folder; check the path$/,
  })
})
