import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/host/app/config.ts'
import { writeCopyFile } from '../../src/host/cli/write-copy-file.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { freshDatabase, postgresAvailable } from '../support/postgres.ts'
import { runCommand, runService, type Settings, temporaryFolder } from '../support/running-service.ts'
import { type StampKey, stampWith } from '../support/stamper.ts'
import { founder, init } from './founder.ts'

const AHEAD_MS = 5 * 60_000

const engines: { readonly [engine: string]: () => Promise<Settings> } = {
  sqlite: async () => ({}),
  ...(postgresAvailable()
    ? { postgres: async () => ({ CLAVIGER_DATABASE_URL: await freshDatabase() }) }
    : {}),
}
const pairs = Object.keys(engines).flatMap((from) => Object.keys(engines).map((to) => [from, to] as const))

for (const [from, to] of pairs)
  test(`a backup of a running service on ${from} is restored on ${to}, and what was lost does not run again`, async () => {
    const { dataFolder, key } = founder()
    const settings = { CLAVIGER_DATA: dataFolder, ...(await engines[from]?.()) }
    const { organizationId } = await init(dataFolder, key, settings)
    const file = join(dataFolder, 'backup')
    const [kept, lost] = [tagRequest(organizationId, 'Kept'), tagRequest(organizationId, 'Lost')]
    const service = await runService('serve', { dataFolder, ...settings })
    let keptAnswer: string
    try {
      const answered = await sent(service.url, key, kept)
      assert.equal(answered.status, 200, answered.text)
      keptAnswer = answered.text
      const made = await runCommand(['backup', '--out', file], settings)
      assert.equal(made.code, 0, made.output)
      assert.match(made.output, /: \d+ rows as they stood at \S+Z, 1 of them activities$/m)
      assert.equal((await sent(service.url, key, lost)).status, 200)
    } finally {
      await service.kill()
    }
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(!readFileSync(file).includes('Kept'))

    const other = join(temporaryFolder(), 'data')
    const restored = {
      CLAVIGER_DATA: other,
      CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
      ...(await engines[to]?.()),
    }
    const { code, output } = await runCommand(['restore', '--from', file, '--json'], restored)
    assert.equal(code, 0, output)
    const { acceptsFrom, lostAt } = JSON.parse(lastLine(output))
    assert.equal(acceptsFrom, lostAt + AHEAD_MS)
    const verified = await runCommand(['verify'], restored)
    assert.equal(verified.code, 0, verified.output)

    const again = await runService('serve', { dataFolder: other, ...restored })
    try {
      const url = again.url
      assert.equal((await sent(url, key, kept)).text, keptAnswer)
      const refused = await sent(url, key, lost)
      assert.equal(refused.status, 400)
      assert.match(
        refused.text,
        /this service was restored from a backup, and requests up to then may have been carried out and lost/,
      )
      const early = await sent(url, key, tagRequest(organizationId, 'Early'))
      assert.equal(early.status, 400)
      const later = await sent(url, key, tagRequest(organizationId, 'Later', acceptsFrom + 1))
      assert.equal(later.status, 200, later.text)
    } finally {
      await again.kill()
    }
    const twice = await runCommand(['restore', '--from', file], restored)
    assert.equal(twice.code, 1)
    assert.match(twice.output, /is not empty \(it has charters\)/)
  })

test('a backup that is damaged, cut off, or of another root key is refused, and leaves nothing', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const file = join(dataFolder, 'backup')
  await runCommand(['backup', '--out', file], settings)
  const whole = readFileSync(file)
  const other = founder()
  await init(other.dataFolder, other.key)
  const foreignKey = join(other.dataFolder, 'root.key')
  const ownKey = join(dataFolder, 'root.key')
  const flipped = Buffer.from(whole)
  const at = Math.floor(whole.length / 2)
  flipped[at] = (flipped[at] ?? 0) ^ 1
  for (const [bytes, rootKey, why] of [
    [flipped, ownKey, /damaged, cut off or was changed/],
    [whole.subarray(0, whole.length - 1), ownKey, /damaged, cut off or was changed/],
    [whole.subarray(0, 40), ownKey, /is not a backup of Claviger, or its beginning is damaged/],
    [Buffer.from('something else\n'), ownKey, /is not a backup of Claviger/],
    [Buffer.concat([whole, Buffer.from('x')]), ownKey, /damaged, cut off or was changed/],
    [whole, foreignKey, /damaged, cut off or was changed, or the root key file is that of other data/],
  ] as const) {
    const bad = join(temporaryFolder(), 'bad')
    writeFileSync(bad, bytes)
    const data = join(temporaryFolder(), 'data')
    const into = { CLAVIGER_DATA: data, CLAVIGER_ROOT_KEY: rootKey }
    const { code, output } = await runCommand(['restore', '--from', bad], into)
    assert.equal(code, 1, output)
    assert.match(output, why)
    const retried = await runCommand(['restore', '--from', file], { ...into, CLAVIGER_ROOT_KEY: ownKey })
    assert.equal(retried.code, 0, retried.output)
  }
})

test('a backup is not made under another root key than that of the data, which could not restore it', async () => {
  const { dataFolder, key } = founder()
  const { organizationId } = await init(dataFolder, key)
  const other = founder()
  await init(other.dataFolder, other.key)
  const settings = { CLAVIGER_DATA: dataFolder, CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key') }
  const out = join(temporaryFolder(), 'copy')
  for (const call of [['backup'], ['organization', 'export', organizationId]]) {
    const made = await runCommand([...call, '--out', out], settings)
    assert.equal(made.code, 1, made.output)
    assert.match(made.output, /this data was written under another root key/)
    assert.equal(existsSync(out), false)
  }
})

test('a machine whose clock is behind the backup is told so', async () => {
  const { dataFolder, key } = founder()
  await init(dataFolder, key)
  const file = join(temporaryFolder(), 'backup')
  assert.equal((await runCommand(['backup', '--out', file], { CLAVIGER_DATA: dataFolder })).code, 0)
  const behind = 'data:text/javascript,globalThis.was=Date.now;Date.now=()=>was()-86400000'
  const { code, output } = await runCommand(['restore', '--from', file], {
    CLAVIGER_DATA: join(temporaryFolder(), 'data'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
    NODE_OPTIONS: `--import=${behind}`,
  })
  assert.match(output, /^claviger restore: the clock of this machine is at [^\n]+: set the clock\n$/)
  assert.equal(code, 1)
})

test('a backup to recipients of age is opened with an identity and the root key, and not with either alone', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const age = await import('age-encryption')
  const identity = await age.generateIdentity()
  const recipient = await age.identityToRecipient(identity)
  const file = join(dataFolder, 'backup')
  const made = await runCommand(['backup', '--out', file, '--recipient', recipient], settings)
  assert.equal(made.code, 0, made.output)
  const identityFile = join(dataFolder, 'identity')
  writeFileSync(identityFile, `# made for this test\n${identity}\n`, { mode: 0o600 })
  const into = () => ({
    CLAVIGER_DATA: join(temporaryFolder(), 'data'),
    CLAVIGER_ROOT_KEY: join(dataFolder, 'root.key'),
  })

  const without = await runCommand(['restore', '--from', file], into())
  assert.equal(without.code, 1)
  assert.match(without.output, /name the file of an identity with --identity/)
  const other = founder()
  await init(other.dataFolder, other.key)
  const foreign = { ...into(), CLAVIGER_ROOT_KEY: join(other.dataFolder, 'root.key') }
  const wrongRoot = await runCommand(['restore', '--from', file, '--identity', identityFile], foreign)
  assert.equal(wrongRoot.code, 1)
  assert.match(wrongRoot.output, /made under another root key, or by another program/)
  const both = await runCommand(['restore', '--from', file, '--identity', identityFile], into())
  assert.equal(both.code, 0, both.output)
})

test('a backup goes where no file is, and one that was killed leaves none under its name', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const file = join(dataFolder, 'backup')
  writeFileSync(`${file}.new-${'ab'.repeat(8)}`, 'what was left')
  assert.equal((await runCommand(['backup', '--out', file], settings)).code, 0)
  assert.equal(existsSync(`${file}.new-${'ab'.repeat(8)}`), false)
  const again = await runCommand(['backup', '--out', file], settings)
  assert.equal(again.code, 1)
  assert.match(again.output, /exists already/)
  assert.equal((await runCommand(['backup'], settings)).code, 2)
})

test('a backup takes no file of another away: neither one beside it, nor one that comes while it is made', async () => {
  const { dataFolder, key } = founder()
  const settings = { CLAVIGER_DATA: dataFolder }
  await init(dataFolder, key)
  const file = join(dataFolder, 'backup')
  writeFileSync(`${file}.new`, 'of the operator')
  assert.equal((await runCommand(['backup', '--out', file], settings)).code, 0)
  assert.equal(readFileSync(`${file}.new`, 'utf8'), 'of the operator')

  // The target of the link is missing, as on a disk that is not mounted.
  const link = join(dataFolder, 'link')
  symlinkSync(join(dataFolder, 'missing'), link)
  const refused = await runCommand(['backup', '--out', link], settings)
  assert.equal(refused.code, 1, refused.output)
  assert.match(refused.output, /link exists already/)

  const late = join(dataFolder, 'late')
  const copied = writeCopyFile(readConfig(settings, dataFolder), {
    out: late,
    recipients: [],
    of: ({ scan, lastJob }) => ({ source: snapshotSource({ scan }), lastJob }),
    checked: () => writeFileSync(late, 'of another run'),
  })
  await assert.rejects(copied, /late exists already/)
  assert.equal(readFileSync(late, 'utf8'), 'of another run')
  assert.deepEqual(
    readdirSync(dataFolder).filter((name) => name.startsWith('late')),
    ['late'],
  )
})

/** Behind what a command says of how far it is. */
function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? ''
}

function tagRequest(organizationId: string, name: string, timestampMs: number = Date.now()): string {
  return JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEY_TAG',
    timestampMs: String(timestampMs),
    organizationId,
    parameters: { privateKeyTagName: name, privateKeyIds: [] },
  })
}

async function sent(
  url: string,
  key: StampKey,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const { stampHeaderName, stampHeaderValue } = stampWith(key, body)
  const answer = await fetch(`${url}/public/v1/submit/create_private_key_tag`, {
    method: 'POST',
    headers: { [stampHeaderName]: stampHeaderValue },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}
