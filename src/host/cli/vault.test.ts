import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { placeFor } from './vault.ts'

test('of two vaults that start at once, none removes the socket that the other one has just made', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-vault-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'vault.sock')
  const placing = assert.rejects(placeFor(path), { message: /a vault is running at .* already/ })
  const other = createServer().listen(path)
  t.after(() => other.close())
  await once(other, 'listening')
  await placing
  assert.ok(existsSync(path))
})
