import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { projectFolder, runCommand, runService, start, temporaryFolder } from '../support/running-service.ts'
import type { JsonAnswer } from '../support/service.ts'

const launcher = join(projectFolder, 'bin', 'claviger.js')

/** `claviger emulate --json`, and the line that it says when it is ready. */
async function emulator(...args: readonly string[]) {
  const started = start([launcher, 'emulate', '--json', ...args], {})
  const { output, child, ended } = started
  await eventually(
    async () => output().includes('\n') || child.exitCode !== null,
    () => output(),
  )
  const line: JsonAnswer = JSON.parse(output().split('\n')[0] ?? '')
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return await ended
  }
  return { line, output, stop }
}

test('the command says in one line of JSON where it is, and every line of the same seed is the same but for address and process', async () => {
  const first = await emulator('--seed', '7', '--fixtures', 'treasury')
  const { baseUrl, pid: _, ...same } = first.line
  assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(same.service, 'Claviger EMULATOR')
  const answer = await fetch(`${baseUrl}/emulator`)
  assert.equal(answer.headers.get('x-claviger'), 'EMULATOR')
  const told: JsonAnswer = await answer.json()
  assert.equal(told.root.apiPrivateKey, same.apiPrivateKey)
  assert.ok(told.results.treasury.addresses[0].startsWith('0x'))
  assert.equal(await first.stop(), 0)
  assert.equal(first.output().trim().split('\n').length, 1)

  const second = await emulator('--seed', '7', '--fixtures', 'treasury')
  const { baseUrl: _url, pid: _pid, ...again } = second.line
  assert.deepEqual(again, same)
  assert.equal(await second.stop(), 0)
})

test('the banner says what it is, and holds a key file', async () => {
  const { output, child, ended } = start([launcher, 'emulate'], {})
  await eventually(
    async () => output().includes('Ctrl-C') || child.exitCode !== null,
    () => output(),
  )
  assert.match(output(), /^Claviger EMULATOR: everything is in memory/m)
  for (const name of ['BASE_URL', 'ORGANIZATION_ID', 'API_PUBLIC_KEY', 'API_PRIVATE_KEY'])
    assert.match(output(), new RegExp(`^${name}=\\S+$`, 'm'))
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('it touches no data, listens nowhere else, and says what is wrong with how it was called', async () => {
  const data = join(temporaryFolder(), 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'store.db'), 'x')
  const config = join(temporaryFolder(), 'config')
  writeFileSync(config, `CLAVIGER_DATA=${data}\n`)
  const fixtures = join(temporaryFolder(), 'wrong.json')
  writeFileSync(fixtures, '{"steps":[{"activity":"create_wallet"}]}')
  const wrong: readonly [args: readonly string[], settings: Record<string, string>, said: RegExp][] = [
    [[], { CLAVIGER_DATA: data }, /CLAVIGER_DATA names .*data, which holds data/],
    [[], { CLAVIGER_CONFIG: config }, /CLAVIGER_DATA names .*data, which holds data/],
    [[], { CLAVIGER_DATABASE_URL: 'postgres://x@127.0.0.1/y' }, /CLAVIGER_DATABASE_URL is set/],
    [[], { CLAVIGER_ROOT_KEY: join(data, 'root.key') }, /CLAVIGER_ROOT_KEY is set/],
    [
      [],
      { CLAVIGER_HOST: '0.0.0.0' },
      /CLAVIGER_HOST is 0\.0\.0\.0: the emulator listens on 127\.0\.0\.1 alone/,
    ],
    [['--port', '70000'], {}, /--port is a number up to 65535/],
    [['--clock', 'noon'], {}, /"noon" is not a clock; send real, frozen, or a time/],
    [['--fixtures', 'none'], {}, /there are none called "none"; there is treasury/],
    [['--fixtures', './nowhere.json'], {}, /nowhere\.json: there is no such file or folder; check the path/],
    [['--fixtures', fixtures], {}, /step 1 is neither/],
    [['--host', '0.0.0.0'], {}, /Unknown option '--host'/],
  ]
  for (const [args, settings, said] of wrong) {
    const { code, output } = await runCommand(['emulate', ...args], settings)
    assert.equal(code, args.length > 0 ? 2 : 1, output)
    assert.match(output, said)
    assert.doesNotMatch(output, /^\s+at /m, 'it is told as a sentence, without a stack')
  }
})

test('a service of real data has none of the controls, and does not say EMULATOR', async () => {
  const service = await runService('dev')
  try {
    for (const path of ['/emulator', '/emulator/requests']) {
      const { status, headers } = await fetch(`${service.url}${path}`)
      assert.equal(status, 404)
      assert.equal(headers.get('x-claviger'), null)
    }
    assert.equal((await fetch(`${service.url}/emulator/reset`, { method: 'POST' })).status, 404)
  } finally {
    await service.kill()
  }
})
