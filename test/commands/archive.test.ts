import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand, runService, temporaryFolder } from '../support/running-service.ts'
import { ageActivities } from '../support/sealed-copies.ts'
import { founder, init, signs } from './founder.ts'

const YEAR_MS = 366 * 24 * 60 * 60 * 1000

test('archive brings a month of long ago into a file, which verify and find read, and the service goes on', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  const { organizationId } = await init(dataFolder, key)
  const by = { organizationId, key }
  const signed = async (): Promise<void> => {
    const service = await runService('serve', { dataFolder })
    try {
      assert.equal(await signs(service.url, by), 'Ada')
      const beside = await runCommand(['archive', 'make', '--to', folder], settings)
      assert.equal(beside.code, 1)
      assert.match(beside.output, /another process|in use/)
    } finally {
      await service.kill()
    }
  }
  const folder = join(temporaryFolder(), 'archives')
  await signed()
  const nothing = await runCommand(['archive', 'make', '--to', folder], settings)
  assert.equal(nothing.code, 0, nothing.output)
  assert.match(nothing.output, /^No month that has ended 90 days ago has settled activities in the store\.$/m)
  assert.deepEqual(readdirSync(folder), [])

  ageActivities(dataFolder, YEAR_MS)
  await signed()
  const made = await runCommand(['archive', 'make', '--to', folder, '--json'], settings)
  assert.equal(made.code, 0, made.output)
  const { files } = JSON.parse(lastLine(made.output))
  assert.equal(files.length, 1)
  const { path, activities, month } = files[0]
  assert.equal(activities, 2)
  assert.deepEqual(readdirSync(folder), [`activities-${month}.claviger`])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.ok(!readFileSync(path).includes(organizationId), 'it is encrypted')

  const verified = await runCommand(['verify'], settings)
  assert.equal(verified.code, 0, verified.output)
  assert.match(verified.output, /^-- {2}2 activities are in archives, which --archives FOLDER verifies$/m)
  const both = await runCommand(['verify', '--archives', folder], settings)
  assert.equal(both.code, 0, both.output)
  assert.match(both.output, /^-- {2}2 of 2 archived activities were read in their files$/m)
  const elsewhere = await runCommand(['verify', '--archives', temporaryFolder()], settings)
  assert.equal(elsewhere.code, 3)
  assert.match(elsewhere.output, /^!! {2}archive \S+: 2 activities were archived in it, and it is not in /m)
  const file = await runCommand(['verify', '--backup', path], settings)
  assert.match(file.output, /^ok {2}2 rows are as the vault sealed them$/m)
  const restored = await runCommand(['restore', '--from', path], {
    CLAVIGER_DATA: join(temporaryFolder(), 'data'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
  })
  assert.equal(restored.code, 1)
  assert.match(restored.output, /an archive of activities, and no backup/)

  const found = await runCommand(
    ['archive', 'find', '--in', folder, '--organization', organizationId],
    settings,
  )
  assert.equal(found.code, 0, found.output)
  const shown = found.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    shown.map(({ type }) => type),
    ['ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'],
  )
  assert.equal(shown[1].result.signRawPayloadResult.r.length, 64)
  // An archive of before needs the file of before.
  const kept = join(temporaryFolder(), 'kept.key')
  copyFileSync(join(dataFolder, 'root.key'), kept)
  for (const args of [['add'], ['reseal']]) {
    const { code, output } = await runCommand(['root-key', ...args], settings)
    assert.equal(code, 0, output)
  }
  const listed = await runCommand(['root-key', 'list'], settings)
  assert.match(listed.output, /^archives that open with version 1 alone: 1$/m)
  const retired = await runCommand(['root-key', 'retire', '1'], settings)
  assert.equal(retired.code, 0, retired.output)
  assert.match(
    retired.output,
    /^Archives that open with it alone: 1\. Keep it with them too; from now on queries leave them out\.$/m,
  )
  const closed = await runCommand(['verify', '--archives', folder], settings)
  assert.equal(closed.code, 3)
  assert.match(
    closed.output,
    /^!! {2}archive \S+: .*encrypted under version 1 of the root key, .* kept from before/m,
  )

  const withKept = { ...settings, CLAVIGER_ROOT_KEY: kept }
  const one = ['archive', 'find', '--in', folder, '--organization', organizationId, '--activity', shown[1].id]
  assert.deepEqual(JSON.parse(lastLine((await runCommand(one, withKept)).output)), shown[1])
  const other = founder()
  await init(other.dataFolder, other.key)
  const withForeign = { ...settings, CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key') }
  assert.match(
    (await runCommand(one, withForeign)).output,
    /the archive is damaged, cut off or was changed, or the root key file is that of other data/,
  )
  const name = `activities-${month}.claviger`
  const whole = readFileSync(path)
  writeFileSync(path, Buffer.from(whole).fill(0, Math.floor(whole.length / 2), whole.length - 4))
  const damaged = await runCommand(one, withKept)
  assert.equal(damaged.code, 1, damaged.output)
  assert.match(damaged.output, new RegExp(`${name}: the archive is damaged`))
  writeFileSync(path, whole)
  const none = await runCommand([...one.slice(0, -1), organizationId], withKept)
  assert.equal(none.code, 3)
  assert.match(none.output, /no archived activity/)
})

test('what archive is not told, or told wrongly, is named', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const folder = temporaryFolder()
  for (const [args, ends, problem] of [
    [[], 2, /one of: make, find/],
    [['make'], 2, /--to FOLDER/],
    [['make', '--to', folder, '--older-than', '30d'], 2, /at least 31d, not 30d/],
    [['make', '--to', folder, '--older-than', '90'], 2, /days such as 90d/],
    [['make', '--to', folder, '--recipient', 'age1x'], 2, /--identity/],
    [['find', '--in', folder], 2, /--organization ID/],
    [['find', '--in', folder, '--organization', 'x'], 1, /no archive in/],
  ] as const) {
    const { code, output } = await runCommand(['archive', ...args], settings)
    assert.equal(code, ends, output)
    assert.match(output, problem)
  }
  assert.deepEqual(readdirSync(folder), [])
})

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}
