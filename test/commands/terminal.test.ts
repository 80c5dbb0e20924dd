import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { HOST_NOTE } from '../../src/host/copies/store-notes.ts'
import { runCommand } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a writer of the database gives the terminal of the operator no orders, and makes no lines of a command', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const said = '\u001b[1A\u001b[2Kno host runs\nresealing is done'
  const host = {
    id: said,
    name: said,
    at: Date.now() + 60_000,
    seals: 1,
    versions: [{ version: 1, id: said }],
    trouble: said,
    release: {
      claviger: said,
      schema: 1,
      protocol: 1,
      formats: {
        charter: { reads: 1, writes: 1 },
        seal: { reads: 1, writes: 1 },
        record: { reads: 1, writes: 1 },
      },
    },
  }
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.prepare('INSERT INTO notes (name, value) VALUES (?, ?)').run(`${HOST_NOTE}x`, JSON.stringify(host))
  db.prepare(
    `INSERT INTO errands (failure, dead, lane, kind, created_at, organization_id, scope, target, activity_id, revision)
      VALUES (?, 1, 'x', 'webhook', 1, ?, ?, ?, 'a', 1)`,
  ).run(said, said, said, said)
  db.close()

  for (const args of [
    ['root-key', 'list'],
    ['service-key', 'list'],
    ['upgrade', '--check'],
    ['doctor'],
    ['webhooks', 'dead'],
  ]) {
    const { output } = await runCommand(args, { CLAVIGER_DATA: dataFolder })
    if (args[0] === 'webhooks') assert.match(output, /attempts 0: .*no host runs/, 'it tells of the delivery')
    if (args[0] === 'root-key') assert.match(output, /no host runs/, 'it tells of the host')
    assert.ok(!output.includes('\u001b'), `${args.join(' ')}: ${JSON.stringify(output)}`)
    assert.doesNotMatch(output, /^resealing is done/m, args.join(' '))
  }
})
