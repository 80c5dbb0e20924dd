import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { giveShares } from '../support/give-shares.ts'
import { runCommand, runService, type Settings } from '../support/running-service.ts'
import { killCommand } from '../kills/killed-command.ts'
import { founder, init, signs } from './founder.ts'

test('k people rehearse and recover the root key of a running service, which goes on and tells of it', async (t) => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const clear = await recovery(dataFolder, ['create', ...TWO_OF_THREE, '--out', dataFolder])
  assert.match(clear.output, /^claviger recovery: the root key file is not sealed/)
  const { settings, shares } = await withRecovery(dataFolder)
  const service = await runService('serve', { dataFolder, ...settings })
  t.after(() => service.kill())

  // A rehearsal needs no other seal, says nothing of the key or a share, and leaves the file as it is.
  const before = rootKeyFile(dataFolder)
  const rehearsed = await byPeople(dataFolder, ['rehearse', '--json'], shares.slice(1))
  assert.equal(rehearsed.code, 0, rehearsed.output)
  assert.match(rehearsed.output, /"shares": \[\s+2,\s+3\s+\],\s+"unseen": \[\s+1\s+\],\s+"noted": true/)
  for (const share of shares) assert.ok(!rehearsed.output.includes(share.split(' ').slice(4, 7).join(' ')))
  assert.equal(rootKeyFile(dataFolder), before)
  const beside = await doctor(dataFolder, settings)
  assert.match(beside.output, /^ok {2}recovery by 2 of 3 people, made .*, last rehearsed \d{4}-\d\d-\d\d$/m)

  // The passphrase is lost.
  const lost = { CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase(dataFolder, 'another') }
  const none = await runCommand(['root-key', 'list'], { CLAVIGER_DATA: dataFolder, ...lost })
  assert.match(none.output, /does not open the root key; its recovery is left: claviger recovery use$/m)
  const next = passphrase(dataFolder, 'next')
  const used = await byPeople(dataFolder, ['use', '--seal', `passphrase file=${next}`], shares.slice(0, 2))
  assert.equal(used.code, 0, used.output)
  assert.match(used.output, /was recovered, and is sealed by passphrase and its recovery\.\nIt was noted/)
  await eventually(() => service.output().includes('root key recovered'), service.output)
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.equal(await service.stop(), 0)
  const after = { CLAVIGER_ROOT_PASSPHRASE_FILE: next }
  const looked = await doctor(dataFolder, after)
  assert.match(looked.output, /last rehearsed \d{4}-\d\d-\d\d, used \d{4}-\d\d-\d\d$/m)
  assert.equal((await doctor(dataFolder, settings)).code, 1)

  // The same people recover a copy too, where the file itself is lost, and the file that they have recovered.
  const copy = join(dataFolder, 'copy')
  copyFileSync(join(dataFolder, 'root.key'), copy)
  const isThere = await recovery(dataFolder, ['use', '--seal', `passphrase file=${next}`, '--from', copy])
  assert.match(isThere.output, /there is a root key file .*: leave out --from/)
  rmSync(join(dataFolder, 'root.key'))
  const use = ['use', '--seal', `passphrase file=${next}`, '--from', copy]
  assert.equal((await byPeople(dataFolder, use, shares.slice(1))).code, 0)
  assert.equal((await doctor(dataFolder, after)).code, 0)
})

test('new shares end those of before, and a file under another key keeps its people', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const { settings, shares } = await withRecovery(dataFolder)
  const again = await recovery(dataFolder, ['create', ...TWO_OF_THREE, '--out', dataFolder], settings)
  assert.match(again.output, /has a recovery\. A new one takes a new key of the file/)
  const other = passphrase(dataFolder, 'other')
  const rekey = ['root-key', 'rekey', '--seal', `passphrase file=${other}`]
  const rekeyed = await runCommand(rekey, { CLAVIGER_DATA: dataFolder, ...settings })
  assert.match(rekeyed.output, /is sealed by passphrase, recovery\.$/m)
  assert.equal((await byPeople(dataFolder, ['rehearse'], shares.slice(0, 2))).code, 0)
  const byRekey = await runCommand(['root-key', 'rekey', '--seal', 'recovery threshold=2'], {
    CLAVIGER_DATA: dataFolder,
  })
  assert.match(byRekey.output, /a recovery is made by claviger recovery create/)
  const renewed = await withRecovery(dataFolder, { CLAVIGER_ROOT_PASSPHRASE_FILE: other })
  assert.match(
    await refusedShare(dataFolder, shares[0] ?? '', renewed.shares),
    /"refused":"that is a share of another set/,
  )
  const clear = await runCommand(['root-key', 'rekey', '--no-passphrase'], {
    CLAVIGER_DATA: dataFolder,
    ...renewed.settings,
  })
  assert.match(clear.output, /Its recovery is gone with its seals/)
})

test('a recovery that is killed leaves the file of before, and what was opened is told all the same', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const first = join(dataFolder, 'first')
  mkdirSync(first)
  const one = passphrase(dataFolder, 'one')
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_ROOT_PASSPHRASE_FILE: one }
  const create = ['recovery', 'create', ...TWO_OF_THREE, '--seal', `passphrase file=${one}`, '--out']
  const before = rootKeyFile(dataFolder)
  // In the middle of a share, of the file, and before it has its name.
  for (const [point, nth] of [
    ['write', 2],
    ['write', 4],
    ['rename', 1],
  ] as const) {
    const out = join(dataFolder, `${point}-${nth}`)
    mkdirSync(out)
    await killCommand(point, nth, [...create, out], settings)
    assert.equal(rootKeyFile(dataFolder), before)
  }
  assert.equal((await runCommand([...create, first], settings)).code, 0)
  const shares = sharesIn(first)
  const made = rootKeyFile(dataFolder)
  const next = passphrase(dataFolder, 'next')
  const use = ['recovery', 'use', '--seal', `passphrase file=${next}`]
  for (const point of ['write', 'rename'] as const) {
    const given = giveShares(join(dataFolder, 'unseal.sock'), shares.slice(0, 2))
    await killCommand(point, 1, use, { CLAVIGER_DATA: dataFolder })
    await given
    assert.equal(rootKeyFile(dataFolder), made)
  }
  const looked = await doctor(dataFolder, { CLAVIGER_ROOT_PASSPHRASE_FILE: one })
  assert.equal(looked.code, 0, looked.output)
  assert.match(looked.output, /recovery by 2 of 3 people, .*, used \d{4}/)
})

const TWO_OF_THREE = ['--threshold', '2', '--shares', '3'] as const

async function recovery(dataFolder: string, args: readonly string[], settings: Settings = {}) {
  return await runCommand(['recovery', ...args], { CLAVIGER_DATA: dataFolder, ...settings })
}

/** The same, with people who give these shares. */
async function byPeople(dataFolder: string, args: readonly string[], shares: readonly string[]) {
  const ran = recovery(dataFolder, args)
  await giveShares(join(dataFolder, 'unseal.sock'), shares)
  return await ran
}

async function refusedShare(dataFolder: string, wrong: string, right: readonly string[]): Promise<string> {
  const ran = recovery(dataFolder, ['rehearse'])
  const socket = join(dataFolder, 'unseal.sock')
  const said = await giveShares(socket, [wrong])
  await giveShares(socket, right.slice(0, 2))
  assert.equal((await ran).code, 0)
  return said
}

async function withRecovery(dataFolder: string, settings: Settings = {}) {
  const out = join(dataFolder, `shares-${readdirSync(dataFolder).length}`)
  mkdirSync(out)
  const path = passphrase(dataFolder, 'one')
  const args = ['create', ...TWO_OF_THREE, '--out', out, '--seal', `passphrase file=${path}`]
  const { code, output } = await recovery(dataFolder, args, settings)
  assert.equal(code, 0, output)
  return { settings: { CLAVIGER_ROOT_PASSPHRASE_FILE: path }, shares: sharesIn(out) }
}

function sharesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}

function passphrase(dataFolder: string, name: string): string {
  const path = join(dataFolder, `passphrase-${name}`)
  writeFileSync(path, `correct horse ${name}\n`, { mode: 0o600 })
  return path
}

function rootKeyFile(dataFolder: string): string {
  return readFileSync(join(dataFolder, 'root.key'), 'utf8')
}

async function doctor(dataFolder: string, settings: Settings) {
  return await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0', ...settings })
}
