import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { killCommand } from '../kills/killed-command.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, temporaryFolder } from '../support/running-service.ts'
import { founder, init, signs } from './founder.ts'

const skip = postgresAvailable() ? false : postgresMissing

test('move brings the data to PostgreSQL and back, the same at the end, and closes what it left', {
  skip,
}, async () => {
  const { dataFolder, key } = founder()
  const embedded = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const by = { organizationId, key }
  await served(embedded, dataFolder, (url) => signs(url, by))

  const url = await freshDatabase()
  const there = await runCommand(['move', '--to', url], embedded)
  assert.equal(there.code, 0, there.output)
  assert.match(there.output, /^Moved \d+ rows to postgres:.*, and compared them there\./m)
  assert.match(there.output, /^The root key file \S+root\.key was not moved: the new store needs it/m)
  const left = await runCommand(['serve'], { ...embedded, CLAVIGER_PORT: '0' })
  assert.equal(left.code, 1)
  assert.match(left.output, /this data was moved to postgres:\S+ at \S+Z: serve it there/)
  const again = await runCommand(['move', '--to', url], embedded)
  assert.equal(again.code, 1)
  assert.match(again.output, /this data was moved/)

  const stale = await runCommand(['backup', '--out', join(temporaryFolder(), 'stale')], embedded)
  assert.equal(stale.code, 1, stale.output)
  assert.match(stale.output, /this data was moved to postgres:\S+ at \S+Z: copy it there/)

  const postgres = { ...embedded, CLAVIGER_DATABASE_URL: url }
  const running = await runService('serve', { dataFolder, ...postgres })
  const back = join(temporaryFolder(), 'back')
  try {
    assert.equal(await signs(running.url, by), 'Ada')
    const refused = await runCommand(['move', '--to', back], postgres)
    assert.equal(refused.code, 1)
    assert.match(refused.output, /services have \d+ connections to the database: stop all of them/)
  } finally {
    await running.kill()
  }
  const home = await runCommand(['move', '--to', back, '--json'], postgres)
  assert.equal(home.code, 0, home.output)
  const settings = { CLAVIGER_DATA: back, CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key') }
  const verified = await runCommand(['verify'], settings)
  assert.equal(verified.code, 0, verified.output)
  assert.equal(await served(settings, back, (at) => signs(at, by)), 'Ada')
})

test('a database that is being moved is opened by no service, and a move that fails leaves it open', {
  skip,
}, async () => {
  const { dataFolder, key } = founder()
  const by = { organizationId: (await init(dataFolder, key)).organizationId, key }
  // A name in the address hides a service from nobody.
  const url = `${await freshDatabase()}?application_name=hidden`
  const there = await runCommand(['move', '--to', url], { CLAVIGER_DATA: dataFolder })
  assert.equal(there.code, 0, there.output)
  const postgres = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url }
  const to = join(temporaryFolder(), 'new')
  const move = ['move', '--to', to]
  await served(postgres, dataFolder, async () => {
    assert.match((await runCommand(move, postgres)).output, /services have \d+ connections to the database/)
  })
  const other = founder()
  await init(other.dataFolder, other.key)
  const taken = await runCommand(['move', '--to', other.dataFolder], postgres)
  assert.match(taken.output, /is not empty/)
  assert.equal(await served(postgres, dataFolder, (at) => signs(at, by)), 'Ada')

  await killCommand('database', 10, move, postgres)
  const during = await runCommand(['serve'], { ...postgres, CLAVIGER_PORT: '0' })
  assert.equal(during.code, 1)
  assert.match(during.output, /this data is being moved to the folder \S+ at \S+Z: wait for its end, or run/)
  assert.match((await runCommand(['move', '--to', other.dataFolder], postgres)).output, /is not empty/)
  assert.match((await runCommand(['root-key', 'list'], postgres)).output, /this data is being moved/)
  assert.match((await runCommand(['webhooks', 'backlog'], postgres)).output, /this data is being moved/)
  const ended = await runCommand(move, postgres)
  assert.equal(ended.code, 0, ended.output)
  const left = await runCommand(['serve'], { ...postgres, CLAVIGER_PORT: '0' })
  assert.match(left.output, /this data was moved to the folder/)
})

test('a store is moved neither into itself nor back to the store it came from, and stays open', {
  skip,
}, async () => {
  const { dataFolder, key } = founder()
  const by = { organizationId: (await init(dataFolder, key)).organizationId, key }
  const url = await freshDatabase()
  const there = await runCommand(['move', '--to', url], { CLAVIGER_DATA: dataFolder })
  assert.equal(there.code, 0, there.output)
  const postgres = { CLAVIGER_DATA: dataFolder, CLAVIGER_DATABASE_URL: url }

  const itself = `${url}?application_name=other`
  for (const to of [itself, dataFolder]) {
    const moved = await runCommand(['move', '--to', to], postgres)
    assert.equal(moved.code, 1, moved.output)
    assert.match(moved.output, /is not empty/)
  }

  assert.equal(await served(postgres, dataFolder, (at) => signs(at, by)), 'Ada')
})

test('a move that was killed before it closed the old store is ended by the same command', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const settings = { CLAVIGER_DATA: dataFolder }
  const to = join(temporaryFolder(), 'new')
  assert.equal((await runCommand(['move', '--to', to], settings)).code, 0)
  // As it is when the last step was not done.
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  db.exec("DELETE FROM notes WHERE name = 'moved'")
  const { code, output } = await runCommand(['move', '--to', to], settings)
  assert.equal(code, 0, output)
  assert.equal(db.prepare("SELECT count(*) AS count FROM notes WHERE name = 'moved'").get()?.['count'], 1)

  // With other rows there it is another store.
  db.exec("DELETE FROM notes WHERE name = 'moved'; INSERT INTO directory VALUES ('a', 'b', 'c', 'd')")
  db.close()
  const other = await runCommand(['move', '--to', to], settings)
  assert.equal(other.code, 1)
  assert.match(other.output, /is not empty \(it has charters\)/)
})

test('a store that is served is not moved', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  await served({ CLAVIGER_DATA: dataFolder }, dataFolder, async () => {
    const { code, output } = await runCommand(['move', '--to', join(temporaryFolder(), 'new')], {
      CLAVIGER_DATA: dataFolder,
    })
    assert.equal(code, 1)
    assert.match(output, /is in use by another process/)
  })
})

async function served<Result>(
  settings: Readonly<Record<string, string>>,
  dataFolder: string,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    return await use(service.url)
  } finally {
    await service.kill()
  }
}
