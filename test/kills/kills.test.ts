import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { realWorld } from '../../src/trusted/base/real-world.ts'
import { NO_KEYS } from '../../src/trusted/vault/keys/file-keys.ts'
import { readRootKeyFile, rootKeyFile } from '../../src/trusted/vault/keys/root-key.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, type Settings, temporaryFolder } from '../support/running-service.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from '../tampering/harness.ts'
import { populate } from '../tampering/populated.ts'
import { killCommand, type KillPoint, pointsOf } from './killed-command.ts'

// Commands that are killed in the middle of what they write: afterwards the old state is whole or the new one, and the
// same command brings it to its end or says what to do.

const engines = {
  sqlite: async (): Promise<Settings> => ({}),
  postgres: async (): Promise<Settings> => ({ CLAVIGER_DATABASE_URL: await freshDatabase() }),
}

for (const [engine, emptyStore] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    /** A folder of its own with the root key, and an empty store. */
    const place = async (): Promise<Settings> => {
      const folder = join(temporaryFolder(), 'data')
      mkdirSync(folder, { mode: 0o700 })
      await writeRootKey(folder)
      return { CLAVIGER_DATA: folder, ...(await emptyStore()) }
    }
    const filled = async (): Promise<Settings> => {
      const settings = await place()
      const { CLAVIGER_DATA: folder = '', CLAVIGER_DATABASE_URL: url } = settings
      const store =
        url === undefined ? openSqlite({ path: join(folder, 'claviger.db') }) : await openPostgres({ url })
      await populate(await openServiceOn(store, testWorld(1, START)), store)
      await store.close()
      return settings
    }

    test('of a backup that is killed nothing has its name, or all of it', async () => {
      const settings = await filled()
      const out = join(temporaryFolder(), 'backup')
      const backup = ['backup', '--out', out]
      for (const [point, nth] of [
        ['write', 1],
        ['write', 2],
        ['rename', 1],
      ] as const) {
        await killCommand(point, nth, backup, settings)
        assert.equal(existsSync(out), false, `${point}:${nth}`)
      }
      await succeeds(backup, settings)
      assert.deepEqual(readdirSync(join(out, '..')), ['backup'])
      await succeeds(['verify', '--backup', out], settings)
    })

    test('a store into which a restore or a move was killed is empty, or whole', async () => {
      const settings = await filled()
      const backup = join(temporaryFolder(), 'backup')
      await succeeds(['backup', '--out', backup], settings)
      const target = async () => {
        const { CLAVIGER_DATA: folder = '', CLAVIGER_DATABASE_URL: url } = await place()
        return {
          into: { CLAVIGER_DATA: folder, ...(url === undefined ? {} : { CLAVIGER_DATABASE_URL: url }) },
          to: url ?? folder,
        }
      }
      const restore = ['restore', '--from', backup]
      const { database } = await pointsOf(restore, (await target()).into)
      assert.ok(database > 10, `${database} writes`)
      const restored = []
      for (const nth of [Math.floor(database / 2), database]) {
        const { into } = await target()
        await killCommand('database', nth, restore, into)
        await succeeds(restore, into)
        await succeeds(['verify'], into)
        await says(restore, into, /is not empty \(it has charters\)/)
        restored.push(into)
      }

      // They hold as many rows as each other.
      const [one = {}, other = {}] = restored
      const { database: ofMove } = await pointsOf(['move', '--to', (await target()).to], one)
      const half = await target()
      await killCommand('database', Math.floor(ofMove / 2), ['move', '--to', half.to], other)
      await succeeds(restore, half.into)
      // There the rows stand, and the store that they come from is not closed yet.
      const moved = await target()
      const move = ['move', '--to', moved.to]
      await killCommand('database', ofMove - 1, move, other)
      await succeeds(move, other)
      await succeeds(['verify'], moved.into)
      await says(move, other, /this data was moved/)
    })

    test('a root key file is the one of before or the new one wherever a rotation is killed, and it is brought to its end', async () => {
      const settings = await filled()
      const folder = settings['CLAVIGER_DATA'] ?? ''
      const path = join(folder, 'root.key')
      const killed = async (args: readonly string[], points: readonly (readonly [KillPoint, number])[]) => {
        for (const [point, nth] of points) {
          await killCommand(point, nth, ['root-key', ...args], settings)
          readRootKeyFile(readFileSync(path, 'utf8'), NO_KEYS)
        }
      }
      const versions = async () =>
        readRootKeyFile(readFileSync(path, 'utf8'), NO_KEYS).versions.map(({ version }) => version)

      await killed(
        ['add'],
        [
          ['write', 1],
          ['rename', 1],
        ],
      )
      assert.deepEqual(await versions(), [1])
      // The version is there, and does not seal yet.
      await killed(['add'], [['rename', 2]])
      assert.deepEqual(await versions(), [1, 2])
      await says(
        ['root-key', 'add'],
        settings,
        /version 2 was added and does not seal yet: claviger root-key reseal/,
      )

      await killed(
        ['reseal'],
        [
          ['write', 1],
          ['database', 5],
          ['database', 40],
        ],
      )
      await succeeds(['verify'], settings)
      await says(['root-key', 'retire', '2'], settings, /version 2 seals/)
      await succeeds(['root-key', 'reseal'], settings)

      await killed(
        ['retire', '1'],
        [
          ['database', 3],
          ['write', 1],
          ['rename', 1],
        ],
      )
      assert.deepEqual(await versions(), [1, 2])
      await succeeds(['root-key', 'retire', '1'], settings)
      assert.deepEqual(await versions(), [2])

      const passphrase = join(temporaryFolder(), 'passphrase')
      writeFileSync(passphrase, 'correct horse\n', { mode: 0o600 })
      await killed(
        ['rekey', '--passphrase-file', passphrase],
        [
          ['write', 1],
          ['rename', 1],
        ],
      )
      await succeeds(['root-key', 'rekey', '--passphrase-file', passphrase], settings)
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith('root.key')),
        ['root.key'],
      )
      const after = { ...settings, CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
      await succeeds(['verify'], after)
    })
  })
}

async function writeRootKey(folder: string): Promise<void> {
  // The key of `openServiceOn`.
  const versions = [{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }]
  const text = await rootKeyFile({ versions, seals: 1, service: [] }, realWorld.randomBytes, undefined)
  writeFileSync(join(folder, 'root.key'), text, { mode: 0o600 })
}

async function succeeds(args: readonly string[], settings: Settings): Promise<void> {
  const { code, output } = await runCommand(args, settings)
  assert.equal(code, 0, `${args.join(' ')}: ${output}`)
}

async function says(args: readonly string[], settings: Settings, what: RegExp): Promise<void> {
  const { code, output } = await runCommand(args, settings)
  assert.notEqual(code, 0)
  assert.match(output, what)
}
