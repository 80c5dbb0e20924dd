import assert from 'node:assert/strict'
import { cpSync, existsSync, linkSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  devEnvOf,
  projectFolder,
  ready,
  runCommand,
  runService,
  start,
  temporaryFolder,
} from '../support/running-service.ts'

const LAST_WORDS = 'Stop with Ctrl-C'

test('npm start on a new machine makes everything, and the example that it prints makes a signature when pasted', async () => {
  const folder = await aClone('new machine')
  const dataFolder = join(folder, '.claviger')
  const started = start(['start'], { CLAVIGER_PORT: '0' }, { program: 'npm', cwd: folder })
  const service = await ready(started, dataFolder, LAST_WORDS)
  try {
    for (const file of ['root.key', 'dev.env']) assert.equal(modeOf(join(dataFolder, file)), 0o600, file)
    assert.equal(modeOf(dataFolder), 0o700)
    const { BASE_URL, ORGANIZATION_ID, API_PUBLIC_KEY, API_PRIVATE_KEY, SIGNER_PUBLIC_KEY } =
      devEnvOf(dataFolder)
    assert.equal(BASE_URL, service.url)
    assert.match(ORGANIZATION_ID, /^[0-9a-f-]{36}$/)
    assert.match(API_PUBLIC_KEY, /^0[23][0-9a-f]{64}$/)
    assert.match(API_PRIVATE_KEY, /^[0-9a-f]{64}$/)
    assert.match(SIGNER_PUBLIC_KEY, /^04[0-9a-f]{128}$/)

    const greeting = service.output()
    assert.match(greeting, /DEVELOPMENT MODE: loopback only/)
    const example = /^ {2}(node \S*examples\/first-signature\.js .*)$/m.exec(greeting)?.[1]
    assert.ok(example !== undefined, greeting)
    const pasted = start(['-c', example], {}, { program: 'sh', cwd: folder })
    assert.equal(await pasted.ended, 0, pasted.output())
    assert.match(pasted.output(), /Its Ethereum address: 0x[0-9a-fA-F]{40}/)
    assert.match(pasted.output(), /r: '[0-9a-f]{64}'/)
  } finally {
    await service.kill()
  }
})

test('an example without a key file says how to get one', async () => {
  for (const example of ['first-signature.js', 'two-people.js']) {
    const { ended, output } = start(['examples/' + example, 'missing.env'], {}, { cwd: projectFolder })
    assert.equal(await ended, 1)
    assert.equal(output(), 'There is no missing.env: start claviger dev in this folder, which makes it.\n')
  }
})

test('an example without a running service says how to start one', async () => {
  const { stop, url, dataFolder } = await runService('dev')
  await stop()
  for (const example of ['first-signature.js', 'two-people.js']) {
    const { ended, output } = start(
      ['examples/' + example, join(dataFolder, 'dev.env')],
      {},
      { cwd: projectFolder },
    )
    assert.equal(await ended, 1)
    assert.equal(
      output(),
      `No service answers at ${url} (ECONNREFUSED): start claviger dev in this folder.\n`,
    )
  }
})

test('the printed example works when the data lies under a path that a shell would split', async () => {
  const service = await runService('dev', { dataFolder: join(temporaryFolder(), "my keys' data") })
  try {
    const example = /^ {2}(node \S*examples\/first-signature\.js .*)$/m.exec(service.output())?.[1]
    const pasted = start(['-c', example ?? 'false'], {}, { program: 'sh', cwd: projectFolder })
    assert.equal(await pasted.ended, 0, pasted.output())
  } finally {
    await service.kill()
  }
})

test('the second start keeps the organization and its keys, says again what it is, and tells the new address', async () => {
  const first = await runService('dev')
  const { dataFolder } = first
  const before = devEnvOf(dataFolder)
  assert.equal(await first.stop(), 0)
  // It has the only copy of the key: written over in place, it would be empty where the disk is full.
  const kept = join(temporaryFolder(), 'kept.env')
  linkSync(join(dataFolder, 'dev.env'), kept)
  const second = await runService('dev', { dataFolder })
  try {
    assert.deepEqual(devEnvOf(dataFolder), { ...before, BASE_URL: second.url })
    assert.equal(modeOf(join(dataFolder, 'dev.env')), 0o600)
    assert.ok(readFileSync(kept, 'utf8').includes(`BASE_URL=${before['BASE_URL']}\n`))
    assert.match(second.output(), /DEVELOPMENT MODE/)
    const again = start(
      ['examples/first-signature.js', join(dataFolder, 'dev.env')],
      {},
      { cwd: projectFolder },
    )
    assert.equal(await again.ended, 0, again.output())
  } finally {
    await second.kill()
  }
})

for (const name of ['CLAVIGER_HOST', 'CLAVIGER_OPERATOR_HOST'])
  test(`development mode does not listen where others reach it (${name})`, async () => {
    const dataFolder = join(temporaryFolder(), 'data')
    const settings = { [name]: '0.0.0.0', CLAVIGER_OPERATOR_PORT: '0', CLAVIGER_DATA: dataFolder }
    const { code, output } = await runCommand(['dev'], settings)
    assert.equal(code, 1)
    assert.match(
      output,
      new RegExp(`${name} is 0\\.0\\.0\\.0: development mode listens on loopback only; use claviger serve`),
    )
    assert.throws(() => statSync(dataFolder), { code: 'ENOENT' })
  })

test('Ctrl-C, which reaches every process of the terminal and is passed on besides, ends it cleanly', async () => {
  // By the Node of the path, which may be one that needs the launcher in between.
  const dataFolder = join(temporaryFolder(), 'data')
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_PORT: '0' }
  const started = start(['bin/claviger.js', 'dev'], settings, { program: 'node' })
  const service = await ready(started, dataFolder, LAST_WORDS)
  process.kill(-service.pid, 'SIGINT')
  assert.equal(await service.ended, 0, service.output())
  assert.doesNotMatch(service.output(), /"level":"error"/)
  assert.match(service.output(), /"event":"drained"/)
})

test('an address that is taken is told by the name of its setting, before anything is made', async () => {
  const service = await runService('dev')
  try {
    const { port } = new URL(service.url)
    const settings = { CLAVIGER_DATA: join(temporaryFolder(), 'data'), CLAVIGER_PORT: port }
    const { code, output } = await runCommand(['dev'], settings)
    assert.equal(code, 1)
    assert.ok(output.includes(`CLAVIGER_PORT is ${port}, and another process listens there already`), output)
    assert.doesNotMatch(output, /\n {4}at /)
    assert.equal(existsSync(settings.CLAVIGER_DATA), false)
  } finally {
    await service.kill()
  }
})

test('a service does not start with settings of which one is missing, and other commands take them', async () => {
  const settings = { CLAVIGER_DATA: join(temporaryFolder(), 'data'), CLAVIGER_OPERATOR_HOST: '127.0.0.1' }
  const refusal = /CLAVIGER_OPERATOR_HOST is set without CLAVIGER_OPERATOR_PORT: /
  for (const command of ['dev', 'serve', 'doctor'])
    assert.match((await runCommand([command], settings)).output, refusal)
  assert.equal(existsSync(settings.CLAVIGER_DATA), false)
  const made = await runCommand(['root-key', 'make'], settings)
  assert.equal(made.code, 0, made.output)
})

test('claviger alone says what it can do', async () => {
  const help = await runCommand([])
  assert.equal(help.code, 0)
  for (const command of ['dev', 'init', 'serve', 'doctor'])
    assert.match(help.output, new RegExp(`^ {2}claviger ${command} `, 'm'))
})

/** A folder with the project in it, as after a clone and `npm ci`; links stand for what is only read. */
async function aClone(name: string): Promise<string> {
  const folder = join(temporaryFolder(), name)
  await mkdir(folder)
  for (const part of ['bin', 'src', 'examples', 'node_modules'])
    symlinkSync(join(projectFolder, part), join(folder, part))
  cpSync(join(projectFolder, 'package.json'), join(folder, 'package.json'))
  assert.ok(readFileSync(join(folder, 'package.json'), 'utf8').includes('"start"'))
  return folder
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
