import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { newRootKeyFile } from '../../src/trusted/vault/keys/root-key.ts'
import { runCommand, runService, type Settings } from '../support/running-service.ts'
import { founder, init, signs } from './founder.ts'

type KeyFile = { readonly format: string; readonly versions: readonly { readonly version: number }[] }

const PASSPHRASE = 'correct horse battery staple'

test('a root key file with an added version opens what the older one sealed, and seals under the newest', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const before = sealsIn(dataFolder)
  assert.deepEqual(versionsOf([...before.values()]), ['1'])
  await changeKeyFile(dataFolder, (file) => ({ ...file, versions: [...file.versions, aVersion(2)] }))

  const doctor = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(doctor.code, 0, doctor.output)
  assert.equal(await signedBy(dataFolder, { organizationId, key }), 'Ada')
  const after = sealsIn(dataFolder)
  const written = [...after].filter(([row, seal]) => before.get(row) !== seal)
  // Two activities, and the key that the first of them made.
  assert.ok(written.length >= 3)
  assert.deepEqual(versionsOf(written.map(([, seal]) => seal)), ['2'])
  assert.equal(await signedBy(dataFolder, { organizationId, key }), 'Ada')
})

test('the order of the versions in the file is of no account, nor whether they are encrypted', async () => {
  const { dataFolder, key } = founder()
  const passphrase = { CLAVIGER_ROOT_PASSPHRASE: PASSPHRASE }
  const { organizationId } = await init(dataFolder, key, passphrase)
  await changeKeyFile(dataFolder, (file) => ({
    ...file,
    versions: [aVersion(3), ...file.versions, aVersion(2)],
  }))
  assert.equal(await signedBy(dataFolder, { organizationId, key }, passphrase), 'Ada')
  assert.deepEqual(versionsOf([...sealsIn(dataFolder).values()]), ['1', '3'])
})

test('data of which the root key file has the newest version alone is not served, nor that of another root key', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const rootKey = join(dataFolder, 'root.key')
  await changeKeyFile(dataFolder, (file) => ({ ...file, versions: [aVersion(2)] }))
  const without = await runCommand(['serve'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(without.code, 1)
  assert.match(without.output, /a version that the root key file no longer has/)
  // Of the same number, and not the same key.
  writeFileSync(rootKey, await newRootKeyFile((length) => randomBytes(length)), { mode: 0o600 })
  await changeKeyFile(dataFolder, (file) => ({ ...file, versions: [...file.versions, aVersion(2)] }))
  const foreign = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(foreign.code, 1)
  assert.match(foreign.output, /written under another root key/)
})

test('a proof that was cut short or written by somebody else is none', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const challenge = '00'.repeat(16)
  for (const note of [
    '',
    challenge,
    `${challenge} `,
    `${challenge} 1.1.AAAA`,
    `${challenge} 1.2.AAAA more`,
  ]) {
    const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
    db.prepare("UPDATE notes SET value = ? WHERE name = 'root-proof'").run(note)
    db.close()
    const { code, output } = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
    assert.equal(code, 1, note)
    assert.match(output, /written under another root key/, note)
  }
})

async function signedBy(
  dataFolder: string,
  by: Parameters<typeof signs>[1],
  settings: Settings = {},
): Promise<string> {
  const service = await runService('serve', { dataFolder, ...settings })
  try {
    return await signs(service.url, by)
  } finally {
    await service.stop()
  }
}

async function changeKeyFile(dataFolder: string, change: (file: KeyFile) => KeyFile): Promise<void> {
  const path = join(dataFolder, 'root.key')
  // `init` wrote it.
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile
  writeFileSync(path, JSON.stringify(change(file)), { mode: 0o600 })
}

function aVersion(version: number): { readonly version: number; readonly key: string } {
  return { version, key: randomBytes(32).toString('hex') }
}

/** Every seal in the data of a service that has ended, by the row that it is of. */
function sealsIn(dataFolder: string): ReadonlyMap<string, string> {
  const db = new DatabaseSync(join(dataFolder, 'claviger.db'))
  const rows = [
    ...db.prepare("SELECT 'charter ' || organization_id AS row, seal FROM charters").all(),
    ...db.prepare("SELECT 'activity ' || activity_id AS row, seal FROM activities").all(),
    ...db.prepare("SELECT kind || ' ' || object_id AS row, seal FROM objects").all(),
  ]
  db.close()
  return new Map(rows.map(({ row, seal }) => [String(row), String(seal)]))
}

function versionsOf(seals: readonly string[]): readonly string[] {
  return [...new Set(seals.map((seal) => seal.split('.')[1] ?? ''))].toSorted()
}
