import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, runService, type Settings, start, temporaryFolder } from '../support/running-service.ts'
import { builtCommand } from '../support/built-service.ts'
import { founder, init, signs } from './founder.ts'

/** Runs a command for which each file has an end, as on a disk with room for that much more. */
async function runWithin(bytes: number, args: readonly string[], settings: Settings) {
  const { ended, output } = start(
    [`--fsize=${bytes}:`, process.execPath, await builtCommand(), ...args],
    settings,
    { program: 'prlimit' },
  )
  return { code: await ended, output: output() }
}

test('a root key file for which there is not enough room stays as it is, whole', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const settings = { CLAVIGER_DATA: dataFolder }
  const path = join(dataFolder, 'root.key')
  const before = readFileSync(path, 'utf8')
  const passphrase = join(temporaryFolder(), 'passphrase')
  writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 })
  const rekey = ['root-key', 'rekey', '--passphrase-file', passphrase]
  const { code, output } = await runWithin(before.length + 10, rekey, settings)
  assert.equal(readFileSync(path, 'utf8'), before)
  assert.equal(code, 1, output)
  assert.match(output, /^claviger root-key: [^\n]+\n$/)
  assert.deepEqual(
    readdirSync(dataFolder).filter((name) => name.startsWith('root.key')),
    ['root.key'],
  )
  assert.equal((await runCommand(['root-key', 'add'], settings)).code, 0)
})

test('shares for which there is not enough room are not left behind', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const folder = temporaryFolder()
  const passphrase = join(folder, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 })
  const people = ['--threshold', '2', '--shares', '3', '--out', folder]
  const create = ['recovery', 'create', ...people, '--seal', `passphrase file=${passphrase}`]
  const { code, output } = await runWithin(100, create, { CLAVIGER_DATA: dataFolder })
  assert.match(output, /^claviger recovery: the shares cannot be written: [^\n]+\n$/)
  assert.equal(code, 1)
  assert.deepEqual(readdirSync(folder), ['passphrase'])
})

test('a key file of an agent for which there is not enough room is not left behind', () => {
  const path = join(temporaryFolder(), 'bot.agent.env')
  const source = `
    import { keyInFile } from ${JSON.stringify(new URL('../../src/host/cli/agent/key-file.ts', import.meta.url).href)}
    import { randomBytes } from 'node:crypto'
    const caller = { organizationId: 'x', baseUrl: 'http://127.0.0.1' }
    try { keyInFile(${JSON.stringify(path)}, caller, {}, { randomBytes: (length) => new Uint8Array(randomBytes(length)) }) } catch (error) { console.log(error.code) }`
  const node = [process.execPath, '--input-type=module', '--eval', source]
  assert.equal(execFileSync('prlimit', ['--fsize=100:', ...node], { encoding: 'utf8' }), 'EFBIG\n')
  assert.equal(existsSync(path), false)
})

test('a store that has no room for a restore, or is damaged, is reported in a sentence', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const backup = join(temporaryFolder(), 'backup')
  const data = { CLAVIGER_DATA: dataFolder }
  assert.equal((await runCommand(['backup', '--out', backup], data)).code, 0)
  const into = join(temporaryFolder(), 'data')
  mkdirSync(into)
  copyFileSync(join(dataFolder, 'root.key'), join(into, 'root.key'))
  const full = await runWithin(230_000, ['restore', '--from', backup], { CLAVIGER_DATA: into })
  assert.match(full.output, /^claviger restore: [^\n]*claviger\.db cannot be used: [^\n]+\n$/)
  assert.equal(full.code, 4)

  const file = openSync(join(dataFolder, 'claviger.db'), 'r+')
  const { size } = fstatSync(file)
  writeSync(file, Buffer.alloc(size - 8_192), 0, size - 8_192, 8_192)
  closeSync(file)
  for (const call of [['verify'], ['backup', '--out', `${backup}-2`], ['quota', 'list']]) {
    const { code, output } = await runCommand(call, data)
    assert.match(output, /^claviger [a-z]+: [^\n]*claviger\.db is damaged [^\n]+\n$/, call.join(' '))
    assert.equal(code, 1)
  }
})

test('a disk without room for the log of the store prevents no backup', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const settings = { CLAVIGER_DATA: dataFolder }
  const service = await runService('serve', { dataFolder })
  for (let made = 0; made < 20; made++) await signs(service.url, { organizationId, key })
  await service.kill()
  const [store, copy] = [join(dataFolder, 'claviger.db'), join(temporaryFolder(), 'backup')]
  const { size } = statSync(store)
  assert.ok(statSync(`${store}-wal`).size > size, 'the log has pages for which the file has to grow')

  const made = await runWithin(size, ['backup', '--out', copy], settings)

  assert.equal(made.code, 0, made.output)
  const verified = await runCommand(['verify', '--backup', copy], settings)
  assert.equal(verified.code, 0, verified.output)
})

test('a result that cannot be written fails the command, and a closed output ends none', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const command = `${process.execPath} ${await builtCommand()}`
  const shell = async (script: string) => {
    const { ended, output } = start(['-c', script], { CLAVIGER_DATA: dataFolder }, { program: 'sh' })
    return { code: await ended, output: output() }
  }
  const full = await shell(`${command} verify > /dev/full`)
  assert.match(
    full.output,
    /^claviger verify: the work is done, and its result could not be written \([^\n]+\)\n$/,
  )
  assert.equal(full.code, 1)
  assert.equal((await shell(`${command} help | true; exit 0`)).code, 0)
  // A usage error has its exit code although nobody reads its words.
  const unread = `mkfifo "$CLAVIGER_DATA/words"; { exec 3<"$CLAVIGER_DATA/words"; } & exec 2>"$CLAVIGER_DATA/words"; wait $!; ${command} backup`
  assert.equal((await shell(unread)).code, 2)
})
