import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { childrenOf } from '../support/processes.ts'
import { ready, runCommand, runService, type Settings, start } from '../support/running-service.ts'
import { projectFolder } from '../support/running-service.ts'
import { founder, init, signs } from './founder.ts'

const launcher = join(projectFolder, 'bin', 'claviger.js')

test('a service whose root key is in shares starts when k people have given theirs, and names a share that is wrong', async (t) => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const shares = await sharesOf(dataFolder, 'shamir threshold=2 shares=3')
  assert.deepEqual(
    shares.map((share) => share.split(' ').length),
    [33, 33, 33],
  )
  const socket = join(dataFolder, 'unseal.sock')
  const started = start([launcher, 'serve'], settingsOf(dataFolder))
  t.after(started.killGroup)
  await eventually(() => started.output().includes('waits for 2 shares'), started.output)
  assert.equal(statSync(socket).mode & 0o777, 0o600)

  const give = async (share: string) => {
    const path = join(dataFolder, 'typed')
    writeFileSync(path, share, { mode: 0o600 })
    return await runCommand(['unseal', '--share-file', path, '--json'], { CLAVIGER_DATA: dataFolder })
  }
  const nothing = await runCommand(['unseal'], { CLAVIGER_DATA: dataFolder })
  assert.match(nothing.output, /^claviger unseal: there was no share in the input: nothing was given$/m)
  assert.equal(nothing.code, 1)
  const [first = '', second = '', third = ''] = shares
  const open = join(dataFolder, 'open')
  writeFileSync(open, first)
  chmodSync(open, 0o644)
  const readable = await runCommand(['unseal', '--share-file', open], { CLAVIGER_DATA: dataFolder })
  assert.equal(readable.code, 1)
  assert.match(
    readable.output,
    /open has a share, and can be accessed by other users of this machine \(mode 644\): chmod 600 it, or give the share at the prompt instead$/m,
  )
  const typo = first.replace(/\w+$/, 'academic')
  for (const [wrong, why] of [
    [typo, /a word is wrong, missing or in another place/],
    [
      (await sharesOf(founderFolder(dataFolder), 'shamir threshold=2 shares=2'))[0] ?? '',
      /a share of another set, which begins with/,
    ],
  ] as const) {
    const { code, output } = await give(wrong)
    assert.equal(code, 1, output)
    assert.match(output, why)
    assert.ok(!output.includes(wrong.split(' ').slice(3, 8).join(' ')))
  }
  assert.deepEqual(JSON.parse((await give(`  ${first.toUpperCase()}\n`)).output), {
    given: 1,
    needed: 2,
    purpose: 'open',
    refused: null,
  })
  const again = await give(first)
  assert.equal(again.code, 1)
  assert.match(again.output, /given already/)
  const opened = await give(third)
  assert.equal(opened.code, 0, opened.output)
  const service = await ready(started, dataFolder, '')
  assert.equal(await signs(service.url, { organizationId, key }), 'Ada')
  assert.deepEqual(childrenOf(service.hostPid), [service.vaultPid])
  assert.ok(!readdirSync(dataFolder).includes('unseal.sock'))
  for (const share of [first, second, third])
    assert.ok(!service.output().includes(share.split(' ').slice(4, 7).join(' ')))
  const nobody = await give(second)
  assert.equal(nobody.code, 4)
  assert.match(nobody.output, /no process waits for shares/)
  assert.equal(await service.stop(), 0)

  // Doctor does not ask people for shares.
  const doctor = await runCommand(['doctor'], { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' })
  assert.equal(doctor.code, 0, doctor.output)
  assert.match(doctor.output, /^ok {2}seal shamir is opened by people, and was not tried$/m)
  assert.match(
    doctor.output,
    /^ok {2}the vault was not started, because it would wait for people: claviger unseal$/m,
  )
})

test('what waits for shares ends with its service, also when that is killed, and the next one takes its place', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  await sharesOf(dataFolder, 'shamir threshold=2 shares=2')
  const socket = join(dataFolder, 'unseal.sock')
  const settings = { ...settingsOf(dataFolder), CLAVIGER_UNSEAL_PEOPLE: 'group' }
  const one = start([launcher, 'serve'], settings)
  t.after(one.killGroup)
  await eventually(() => one.output().includes('waits for 2 shares'), one.output)
  assert.equal(statSync(socket).mode & 0o777, 0o660)
  one.killGroup()
  await one.ended
  await eventually(async () => !(await answers(socket)))
  const other = start([launcher, 'serve'], settings)
  t.after(other.killGroup)
  await eventually(() => other.output().includes('waits for 2 shares'), other.output)
  assert.ok(await answers(socket))
})

test('a socket that this user cannot reach is not told as one without a process', async () => {
  const { dataFolder } = founder()
  mkdirSync(dataFolder, { recursive: true })
  const file = join(dataFolder, 'file')
  writeFileSync(file, '')
  for (const [path, code, why] of [
    [join(file, 'unseal.sock'), 1, 'a part of the path is a file; check the path'],
    [join(dataFolder, 'none.sock'), 4, `no process waits for shares at ${join(dataFolder, 'none.sock')}`],
    [file, 4, `no process waits for shares at ${file}`],
  ] as const) {
    const ended = await runCommand(['unseal', '--socket', path], {})
    assert.ok(ended.output.includes(why), ended.output)
    assert.equal(ended.code, code)
  }
})

test('a person who types longer than a connection stays open gives the share all the same', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const [share = ''] = await sharesOf(dataFolder, 'shamir threshold=2 shares=2')
  const started = start([launcher, 'serve'], settingsOf(dataFolder))
  t.after(started.killGroup)
  await eventually(() => started.output().includes('waits for 2 shares'), started.output)
  const connections: Socket[] = []
  const between = createServer((person) => {
    connections.push(person)
    const process = connect(join(dataFolder, 'unseal.sock'))
    person.pipe(process).pipe(person)
    for (const end of [person, process]) end.on('error', () => end.destroy())
  })
  t.after(() => between.close())
  const path = join(dataFolder, 'between.sock')
  await new Promise<void>((resolve) => between.listen(path, resolve))
  const typing = spawn(process.execPath, [launcher, 'unseal', '--socket', path])
  await eventually(() => (connections[0]?.bytesWritten ?? 0) > 0)
  // As the process does after five minutes.
  connections[0]?.destroy()
  typing.stdin.end(`${share}\n`)
  assert.equal(await text(typing.stdout), 'Taken: 1 of 2 shares were given.\n')
})

test('a running service takes the newest root key file, also while it waits for the shares of another', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const [path, socket] = [join(dataFolder, 'root.key'), join(dataFolder, 'unseal.sock')]
  const passphrase = join(dataFolder, 'passphrase')
  writeFileSync(passphrase, 'correct horse battery staple', { mode: 0o600 })
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_ROOT_PASSPHRASE_FILE: passphrase }
  const service = await runService('serve', { dataFolder, ...settings })
  t.after(() => service.kill())
  const before = readFileSync(path)
  await sharesOf(dataFolder, 'shamir threshold=2 shares=2')
  await eventually(() => service.output().includes('waits for 2 shares'), service.output)
  const inShares = readFileSync(path)
  // Nobody is asked for the shares of a file that is gone.
  writeFileSync(path, before)
  await eventually(async () => !(await answers(socket)), service.output)
  writeFileSync(path, inShares)
  await eventually(() => answers(socket), service.output)
  // The shares are lost. The file of before is sealed in another way.
  writeFileSync(path, before)
  const rekeyed = await runCommand(['root-key', 'rekey', '--seal', `passphrase file=${passphrase}`], settings)
  assert.equal(rekeyed.code, 0, rekeyed.output)
  await eventually(async () => !(await answers(socket)), service.output)
  const added = await runCommand(['root-key', 'add'], settings)
  assert.equal(added.code, 0, added.output)
  assert.equal(await service.stop(), 0)
})

function settingsOf(dataFolder: string): Settings {
  return {
    CLAVIGER_DATA: dataFolder,
    CLAVIGER_PORT: '0',
    CLAVIGER_RATE_LIMITS: 'off',
    CLAVIGER_DRAIN_SECONDS: '0',
  }
}

/** Of a root key file of its own, beside the other. */
function founderFolder(dataFolder: string): string {
  const folder = join(dataFolder, 'other')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'root.key'),
    JSON.stringify({ format: 'claviger root key 1', versions: [{ version: 1, key: '07'.repeat(32) }] }),
  )
  chmodSync(join(folder, 'root.key'), 0o600)
  return folder
}

async function sharesOf(dataFolder: string, seal: string): Promise<readonly string[]> {
  const out = join(dataFolder, 'shares')
  mkdirSync(out)
  const { code, output } = await runCommand(['root-key', 'rekey', '--seal', `${seal} out=${out}`], {
    CLAVIGER_DATA: dataFolder,
  })
  assert.equal(code, 0, output)
  const files = readdirSync(out).toSorted()
  assert.ok(files.every((name) => (statSync(join(out, name)).mode & 0o777) === 0o600))
  return files.map((name) => readFileSync(join(out, name), 'utf8').trim())
}

async function answers(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
