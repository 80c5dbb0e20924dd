import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { HOST_NOTE } from '../../src/host/copies/store-notes.ts'
import { startClaviger } from '../../src/host/emulator/start-claviger.ts'
import { unless } from '../documentation/programs/unless.ts'
import { projectFolder, runCommand, start, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

test('a writer of the database gives the terminal of the operator no orders, and makes no lines of a command', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const said = '\u001b[1A\u001b[2Kno host runs\nresealing is done'
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.prepare('INSERT INTO notes (name, value) VALUES (?, ?)').run(
    `${HOST_NOTE}x`,
    JSON.stringify(hostCalled(said)),
  )
  putDeadLetter(db, said)
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

test('nor does JSON, which escapes only some of the characters that a terminal obeys', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  // The control sequence introducer as one character, and one that turns the direction of the text.
  const said = '\u009b2J\u202e'
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  const note = db.prepare('INSERT INTO notes (name, value) VALUES (?, ?)')
  note.run(`${HOST_NOTE}x`, JSON.stringify(hostCalled(said)))
  db.prepare('INSERT INTO directory VALUES (?, ?, ?, ?)').run(said, said, said, said)
  putDeadLetter(db, said)
  db.close()

  for (const command of ['root-key list', 'verify', 'webhooks dead']) {
    const { output } = await runCommand([...command.split(' '), '--json'], { CLAVIGER_DATA: dataFolder })
    assert.doesNotMatch(output, /[\u007f-\u009f\u202e]/, command)
    assert.match(output, /\\u009b2J\\u202e/, command)
  }
})

test(
  'a person sees the question of a command whose output goes to a file',
  unless('script', 'apt-get install util-linux'),
  async (t) => {
    const claviger = await startClaviger()
    t.after(() => claviger.close())
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'root.env'), claviger.root.env(), { mode: 0o600 })
    const launcher = join(projectFolder, 'bin', 'claviger.js')
    const command = `${process.execPath} ${launcher} agent create watcher --template observer --as root.env > made`
    const { ended, output } = start(['-qec', command, '/dev/null'], {}, { program: 'script', cwd: folder })
    await ended
    assert.match(output(), /Make this agent\? \(y\/N\)/)
    assert.match(readFileSync(join(folder, 'made'), 'utf8'), /^agent watcher: [^]*^Nothing was made\.\n$/m)
  },
)

/** A delivery that was given up, with this text wherever it has one. */
function putDeadLetter(db: DatabaseSync, said: string): void {
  db.prepare(
    `INSERT INTO errands (failure, dead, lane, kind, created_at, organization_id, scope, target, activity_id, revision)
      VALUES (?, 1, 'x', 'webhook', 1, ?, ?, ?, 'a', 1)`,
  ).run(said, said, said, said)
}

/** The announcement of a host, with this text wherever it has one. */
function hostCalled(said: string): object {
  return {
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
}
