import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder, start } from '../support/running-service.ts'

// The figures of a million activities take a machine of their own for an hour; that the command takes them is tried
// among few.
test('the command that measures backups among a million activities does so among three hundred, and holds figures to limits', async () => {
  const few = ['--activities', '300', '--rounds', '1', '--per-second', '40', '--embedded', '--limits']
  const { ended, output } = start([join(projectFolder, 'bench/copies.ts'), ...few], {})
  // Starting a command alone takes longer than three hundred activities may.
  assert.equal(await ended, 1, output())
  const said = output()
  assert.match(said, /^embedded store, 300 activities$/m)
  for (const what of ['backup, with nothing beside it', 'backup, beside 40 signatures a second', 'verify'])
    assert.match(said, new RegExp(`^ {2}${what}: [\\d.]+ s, \\d+ activities a second$`, 'm'), what)
  assert.match(said, /^ {2}signing at 40\/s, p99 of each round alone: [\d.]+ ms$/m)
  for (const beside of ['a thread that only computes', 'a backup'])
    assert.match(said, new RegExp(`^ {4}beside ${beside}: [\\d.]+ ms \\(x [\\d.]+\\)$`, 'm'), beside)
  assert.match(said, /^ {2}verify of the backup: /m)
  assert.match(said, /^ {2}!! that is above 0\.018 s$/m)
})
