import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import { checkAfterRestart } from '../crash/after-restart.ts'
import { audit, countsOf } from '../crash/audit.ts'
import { connect, type Entry } from '../crash/ledger.ts'
import { loadUntilGone } from '../crash/load.ts'
import { prepare } from '../crash/prepare.ts'
import { eventually } from '../support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import {
  projectFolder,
  ready,
  type RunningService,
  start,
  temporaryFolder,
} from '../support/running-service.ts'
import { seeded } from '../support/seeded.ts'
import { balancer } from './balancer.ts'
import { releaseToCome } from './release-to-come.ts'

const options = { skip: postgresAvailable() ? false : postgresMissing }

const wider = {
  name: 'wider',
  release: '0.2.0',
  kind: 'expand',
  postgres:
    'ALTER TABLE activities ADD COLUMN origin text COLLATE "C";\n' +
    'ALTER TABLE charters ADD COLUMN amended_at bigint NOT NULL DEFAULT 0;\n' +
    'CREATE TABLE extra (\n  id bigint NOT NULL PRIMARY KEY\n);\n',
  sqlite:
    'ALTER TABLE activities ADD COLUMN origin TEXT;\n' +
    'ALTER TABLE charters ADD COLUMN amended_at INTEGER NOT NULL DEFAULT 0;\n' +
    'CREATE TABLE extra (\n  id INTEGER NOT NULL PRIMARY KEY\n) STRICT;\n',
} as const
const narrower = {
  name: 'narrower',
  release: '0.3.0',
  kind: 'contract',
  after: SCHEMA_STEP + 1,
  postgres: 'ALTER TABLE activities DROP COLUMN origin;\n',
  sqlite: 'ALTER TABLE activities DROP COLUMN origin;\n',
} as const

test(
  'two hosts are replaced by a newer release and back under load, and no request is lost or fails',
  options,
  async (t) => {
    const random = seeded('rolling')
    const url = await freshDatabase()
    const folder = temporaryFolder()
    const folderOf = (host: string): string => join(folder, host)
    const environment = { dataFolder: folderOf('a'), databaseUrl: url }
    const people = await prepare(environment, random)
    const data = { ...environment, organizationId: people.organizationId }
    const before = await countsOf(data)
    mkdirSync(folderOf('b'), { mode: 0o700 })
    copyFileSync(join(folderOf('a'), 'root.key'), join(folderOf('b'), 'root.key'))

    const now = join(projectFolder, 'bin/claviger.js')
    const next = releaseToCome('0.2.0', [wider])
    const afterNext = releaseToCome('0.3.0', [wider, narrower])
    const settings = (host: string) => ({
      CLAVIGER_DATA: folderOf(host),
      CLAVIGER_DATABASE_URL: url,
      CLAVIGER_PORT: '0',
      CLAVIGER_CONSOLE: 'off',
      CLAVIGER_RATE_LIMITS: 'off',
      CLAVIGER_DRAIN_SECONDS: '3',
    })
    const front = balancer()
    t.after(front.close)
    const running = new Map<string, RunningService>()
    const serve = async (host: string, command: string): Promise<void> => {
      const service = await ready(start([command, 'serve'], settings(host)), folderOf(host), '')
      t.after(() => service.kill())
      running.set(host, service)
      front.add(host, service.url)
    }
    const stop = async (host: string): Promise<void> => {
      assert.equal(await running.get(host)?.stop(), 0)
      front.remove(host)
    }
    const run = async (command: string, args: readonly string[]) => {
      const { ended, output } = start([command, ...args], settings('a'))
      return { code: await ended, output: output() }
    }
    const checked = async (command: string) =>
      JSON.parse((await run(command, ['upgrade', '--check', '--json'])).output)
    const bothAnswer = async (): Promise<void> => {
      const since = new Map(front.answers)
      await eventually(() =>
        [...running.keys()].every((host) => (front.answers.get(host) ?? 0) > (since.get(host) ?? 0) + 10),
      )
    }

    await serve('a', now)
    await serve('b', now)
    const ledger: Entry[] = []
    const unexpected: string[] = []
    let isGoing = true
    const load = loadUntilGone(front, people, ledger, {
      random,
      isRunning: () => isGoing,
      report: (answer) => void unexpected.push(answer),
    })
    await bothAnswer()
    const plan = await checked(next)
    assert.equal(plan.rolling, true, JSON.stringify(plan))
    assert.deepEqual(
      plan.schema.steps.map(({ number, kind }: { number: number; kind: string }) => `${number} ${kind}`),
      [`${SCHEMA_STEP + 1} expand`],
    )
    assert.equal(plan.hosts.length, 2)
    for (const [host, command] of [
      ['a', next],
      ['b', next],
      // And back: the newer release has only added.
      ['b', now],
    ] as const) {
      await stop(host)
      await serve(host, command)
      await bothAnswer()
    }

    const further = await checked(afterNext)
    assert.equal(further.rolling, false)
    assert.match(further.obstacles.join(), /\(narrower\) permits no host of an older version beside it/)
    const early = await run(afterNext, ['serve'])
    assert.equal(early.code, 1, early.output)
    assert.match(early.output, /step \d+ \(narrower\) .* hosts or commands are connected/)
    await bothAnswer()

    isGoing = false
    await load
    assert.deepEqual(unexpected, [])
    assert.deepEqual(front.failures, [])
    const each = connect(present(running.get('b'), 'a host').url)
    assert.ok(await checkAfterRestart(each, ledger))
    each.close()
    await Promise.all(['a', 'b'].map(stop))
    front.close()
    await audit({ ...data, before, ledger })

    await serve('a', afterNext)
    await stop('a')
    for (const command of [next, now]) {
      const late = await run(command, ['serve'])
      assert.equal(late.code, 1)
      assert.match(late.output, /written by a newer version of Claviger/)
    }
  },
)
