import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { founder, init } from './founder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('a webhook key is shown for a day before it is used, and the one before verifies until its time is over', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  t.after(() => service.kill())
  const [first] = await shownKeys(service.url)
  assert.match(
    (await serviceKey(dataFolder, ['list'])).output,
    /webhook +version 1 +used +derives from version 1 of the root/,
  )
  await refuses(dataFolder, ['use', 'webhook'], /no version of the webhook key waits to be used/)
  const cookies = await serviceKey(dataFolder, ['add', 'cookies'])
  assert.equal(cookies.code, 2, cookies.output)
  assert.match(cookies.output, /each KEY is one of signer, session, otp, webhook, oauth2, read-session/)

  await succeeds(dataFolder, ['add', 'webhook'])
  const [, second] = await shownOnce(service.url, 2)
  assert.equal(await signingKey(service.url), first)
  // The operator's mistake: to use it before those who verify can know it.
  await refuses(
    dataFolder,
    ['use', 'webhook'],
    /version 2 of the webhook key is used from \S+Z on: until then receivers/,
  )
  // Once more changes nothing.
  await succeeds(dataFolder, ['add', 'webhook'])
  assert.deepEqual(await shownKeys(service.url), [first, second])

  age(dataFolder, 2)
  await succeeds(dataFolder, ['use', 'webhook'])
  await eventually(
    async () => (await signingKey(service.url)) === second,
    () => 'the host signs with the new key',
  )
  assert.deepEqual(await shownKeys(service.url), [first, second])
  await refuses(dataFolder, ['retire', 'webhook', '2'], /version 2 of the webhook key is used/)
  await refuses(dataFolder, ['retire', 'webhook', '1'], /version 1 of the webhook key verifies until \S+Z/)

  // The root version that all of it came from goes, and takes nothing along.
  for (const step of [['add'], ['reseal'], ['retire', '1']])
    assert.equal((await runCommand(['root-key', ...step], { CLAVIGER_DATA: dataFolder })).code, 0)
  assert.deepEqual(await shownKeys(service.url), [first, second])
  const { output } = await serviceKey(dataFolder, ['list', '--json'])
  const isRetired = (purpose: string, version: number): boolean | undefined =>
    JSON.parse(output).keys.find(
      (key: { readonly purpose: string; readonly version: number }) =>
        key.purpose === purpose && key.version === version,
    )?.derivesFromRetired
  assert.deepEqual(
    [isRetired('signer', 1), isRetired('webhook', 1), isRetired('webhook', 2)],
    [true, true, false],
  )

  age(dataFolder, 9)
  await succeeds(dataFolder, ['retire', 'webhook', '1'])
  assert.deepEqual(await shownOnce(service.url, 1), [second])
  assert.equal(await signingKey(service.url), second)
  assert.equal(await service.stop(), 0)
})

test('every key of the service has versions, and one that no client knows is used as soon as the hosts have it', async (t) => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const service = await runService('serve', { dataFolder })
  t.after(() => service.kill())
  const before = await keysOf(service.url)
  await succeeds(dataFolder, ['add', 'signer'])
  await refuses(dataFolder, ['use', 'signer'], /version 2 of the signer key is used from \S+Z on/)
  await succeeds(dataFolder, ['add', 'read-session'])
  await succeeds(dataFolder, ['use', 'read-session'])
  await refuses(dataFolder, ['retire', 'read-session', '1'], /verifies until \S+Z/)
  await eventually(
    async () => (await keysOf(service.url)).versions.length === 6,
    () => 'the second version of the signer is shown',
  )
  const { versions, ...shown } = await keysOf(service.url)
  assert.deepEqual({ ...shown, versions: before.versions }, before)
  const [first, second] = versions.filter(({ purpose }: { readonly purpose: string }) => purpose === 'signer')
  assert.deepEqual(first, { purpose: 'signer', version: 1, state: 'used', publicKey: before.signer })
  assert.deepEqual([second.version, second.state], [2, 'published'])
  assert.match(second.publicKey, /^04[0-9a-f]{128}$/)
  assert.notEqual(second.publicKey, before.signer)
  await succeeds(dataFolder, ['add', 'oauth2'])
  age(dataFolder, 2)
  await succeeds(dataFolder, ['use', 'oauth2'])
  age(dataFolder, 9)
  // What organizations have stored is looked at first, by the service that runs.
  const retired = await serviceKey(dataFolder, ['retire', 'oauth2', '1'])
  assert.equal(retired.code, 0, retired.output)
  assert.match(retired.output, /retired version 1 of the oauth2 key: none of [1-9]\d* rows needs it/)
  const listed = await serviceKey(dataFolder, ['list'])
  assert.match(listed.output, /read-session +version 1 +verifies +until/)
  assert.equal(await service.stop(), 0)
})

test('of several hosts none uses a webhook key that another does not show', {
  skip: postgresAvailable() ? false : postgresMissing,
}, async (t) => {
  const settings = { CLAVIGER_DATABASE_URL: await freshDatabase() }
  const { dataFolder, key } = founder()
  await init(dataFolder, key, settings)
  const [here, there] = [join(dataFolder, 'root.key'), join(temporaryFolder(), 'root.key')]
  copyFileSync(here, there)
  const one = await runService('serve', { dataFolder, ...settings })
  t.after(() => one.kill())
  const two = await runService('serve', { ...settings, CLAVIGER_ROOT_KEY: there })
  t.after(() => two.kill())
  const added = await serviceKey(dataFolder, ['add', 'webhook'], settings)
  assert.equal(added.code, 3, added.output)
  assert.match(added.output, /do not show it: copy .* to them; they read it without a restart/)
  // Its time has not begun.
  age(dataFolder, 2)
  await refuses(dataFolder, ['use', 'webhook'], /not known to be shown by every host/, settings)
  copyFileSync(here, there)
  await succeeds(dataFolder, ['add', 'webhook'], settings)
  age(dataFolder, 2)
  const used = await serviceKey(dataFolder, ['use', 'webhook'], settings)
  assert.equal(used.code, 3, used.output)
  assert.match(used.output, /version 2 of the webhook key is used[^]*still use the one before: copy/)
  // A host with the older file signs with what all hosts still show.
  const keys = await shownKeys(one.url)
  assert.ok(keys.includes(await signingKey(two.url)))
  for (const service of [one, two]) assert.equal(await service.stop(), 0)
})

async function serviceKey(dataFolder: string, args: readonly string[], settings: Settings = {}) {
  return await runCommand(['service-key', ...args], { CLAVIGER_DATA: dataFolder, ...settings })
}

async function succeeds(dataFolder: string, args: readonly string[], settings: Settings = {}): Promise<void> {
  const { code, output } = await serviceKey(dataFolder, args, settings)
  assert.equal(code, 0, output)
}

async function refuses(
  dataFolder: string,
  args: readonly string[],
  why: RegExp,
  settings: Settings = {},
): Promise<void> {
  const { code, output } = await serviceKey(dataFolder, args, settings)
  assert.equal(code, 1, output)
  assert.match(output, why)
}

/** Has so many days gone by for what the file says of its keys. */
function age(dataFolder: string, days: number): void {
  const path = join(dataFolder, 'root.key')
  const file = JSON.parse(readFileSync(path, 'utf8'))
  for (const key of file.service ?? [])
    for (const at of ['since', 'until']) if (key[at] !== undefined) key[at] -= days * DAY_MS
  writeFileSync(path, JSON.stringify(file))
}

/** The keys that receivers find, in the order of their versions. */
async function shownKeys(url: string): Promise<readonly string[]> {
  const { keys } = await (await fetch(`${url}/public/v1/discovery/webhooks/jwks`)).json()
  return keys.map(({ x }: { readonly x: string }) => Buffer.from(x, 'base64url').toString('hex'))
}

async function shownOnce(url: string, count: number): Promise<readonly string[]> {
  await eventually(
    async () => (await shownKeys(url)).length === count,
    () => `${count} keys are shown`,
  )
  return await shownKeys(url)
}

async function signingKey(url: string): Promise<string> {
  return (await keysOf(url)).webhook
}

async function keysOf(url: string) {
  return await (await fetch(`${url}/public/v1/discovery/keys`)).json()
}
