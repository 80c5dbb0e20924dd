import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { giveShares } from '../../../test/support/give-shares.ts'
import { equalBytes } from '../../trusted/base/bytes.ts'
import { Secret } from '../../trusted/base/secret.ts'
import { openKeyring } from '../../trusted/vault/keys/keyring.ts'
import { readRecoveryText, recoveryText } from '../../trusted/vault/recovery/recovery-events.ts'
import { rootKeyFile } from '../../trusted/vault/keys/root-key.ts'
import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { type SealEntry, sealedFileText } from '../../trusted/vault/keys/sealed-file.ts'
import { proofOrigin } from '../../trusted/vault/seals/seals.ts'
import { recovery, recoveryEntryIn, rewrapped } from './recovery.ts'
import { rehearsed } from './rehearse.ts'
import { newSet, unwrapped, wrappedFor } from './wrapping.ts'

const KEY = new Secret(new Uint8Array(32).fill(7))
const FILE = 'ab'.repeat(16)
const versions = [{ version: 1, secret: new Secret(new Uint8Array(32).fill(1)) }]

test('k shares open the file, and still do when the file has another key', async (t) => {
  const { entry, shares, means, give } = await aRecovery(t)
  const [opened, said] = await Promise.all([recovery.open(entry, FILE, means), give(shares.slice(0, 2))])
  assert.ok(equalBytes(opened.reveal(), KEY.reveal()))
  assert.equal(JSON.parse(said).purpose, 'recover', 'each person is told what a share is for')
  const other = { key: new Secret(new Uint8Array(32).fill(8)), file: 'cd'.repeat(16), randomBytes }
  const kept = await rewrapped(recoveryEntryIn(entry), other)
  const [again] = await Promise.all([recovery.open(kept, other.file, means), give(shares.slice(1))])
  assert.ok(equalBytes(again.reveal(), other.key.reveal()))
})

test('a rehearsal hands over a proof of the root key and nothing else, and proves what the recovery would open', async (t) => {
  const { entry, shares, means, give } = await aRecovery(t)
  const text = await fileOf([entry])
  const [told, said] = await Promise.all([rehearsed(text, means, () => 1_000), give(shares.slice(1))])
  assert.equal(JSON.parse(said).purpose, 'rehearse')
  assert.deepEqual(Object.keys(told), ['challenge', 'proof'])
  assert.deepEqual(readRecoveryText(told.challenge), {
    what: 'rehearsed',
    set: recoveryEntryIn(entry).set,
    at: 1_000,
    shares: [2, 3],
  })
  assert.equal(proofOrigin(openKeyring(versions), told), 'own')
  await assert.rejects(
    rehearsed(await fileOf([]), means, () => 0),
    /has no recovery/,
  )
})

test('an entry that somebody has changed, or brought from another file, opens nothing, and a rehearsal says so', async (t) => {
  const mine = await aRecovery(t)
  const others = await aRecovery(t)
  const { entry } = mine
  const known = recoveryEntryIn(entry)
  const theirs = recoveryEntryIn(others.entry)
  const text = await fileOf([entry])
  const changed = (by: object) => text.replace(JSON.stringify(entry), JSON.stringify({ ...entry, ...by }))
  const tried = async (by: Awaited<ReturnType<typeof aRecovery>>, file: string) => {
    const [failed] = await Promise.allSettled([
      rehearsed(file, by.means, () => 0),
      by.give(by.shares.slice(0, 2)),
    ])
    assert.ok(failed.status === 'rejected' && failed.reason instanceof RootKeyError)
    return failed.reason.message
  }
  // What the shares unwrap is bound to the file and to the set, and the entry to what the file seals.
  for (const wrapped of [theirs.wrapped, `${known.wrapped.slice(0, -2)}zz`])
    assert.match(await tried(mine, changed({ wrapped })), /was made for another root key file/)
  for (const change of [{ createdAt: 1 }, { shares: known.shares.toReversed() }])
    assert.match(await tried(mine, changed(change)), /does not open the root key file/)
  // Somebody puts a set of their own in its place.
  const swapped = text.replace(JSON.stringify(entry), JSON.stringify(others.entry))
  assert.match(await tried(others, swapped), /does not open the root key file/)
  const many = Array.from({ length: 17 }, () => known.shares[0])
  for (const wrong of [
    { shares: many },
    { threshold: 1 },
    { set: 'zz' },
    { shares: 'none' },
    { wrapped: '00'.repeat(200) },
  ])
    assert.throws(() => recoveryEntryIn({ ...entry, ...wrong }), /does not say which shares recover it/)
})

test('what is wrapped is bound to its file, and new each time', () => {
  const { secret, set } = newSet(randomBytes)
  const given = { key: KEY, file: FILE, randomBytes }
  const [one, other] = [wrappedFor(set, given), wrappedFor(set, given)]
  // Of one ephemeral key for two files, who knows one key would know the other.
  assert.notEqual(one.slice(0, 2 * 65), other.slice(0, 2 * 65))
  for (const wrapped of [one, other])
    assert.ok(equalBytes(unwrapped(secret, { set, wrapped }, FILE).reveal(), KEY.reveal()))
  assert.throws(() => unwrapped(secret, { set, wrapped: one }, 'cd'.repeat(16)), /for another root key file/)
  const theirs = newSet(randomBytes)
  assert.throws(
    () => unwrapped(theirs.secret, { set, wrapped: one }, FILE),
    /another key than the one of this/,
  )
  for (const wrapped of ['', '00', one.slice(0, -2), `${one}00`, one.slice(0, 2 * 65), 'zz'.repeat(113)])
    assert.throws(() => unwrapped(secret, { set, wrapped }, FILE), RootKeyError, wrapped.slice(0, 8))
})

test('what the root key proves of a recovery is read back, and nothing else is', () => {
  const set = `03${'0a'.repeat(32)}`
  const events = [
    { what: 'used', set, at: 1 },
    { what: 'rehearsed', set, at: 2, shares: [1] },
    { what: 'rehearsed', set, at: 3, shares: Array.from({ length: 16 }, (_, index) => index + 1) },
  ] as const
  for (const event of events) assert.deepEqual(readRecoveryText(recoveryText(event)), event)
  for (const text of [
    '',
    'restored from a copy of 1, lost at 1',
    `recovery ${set} used at 1 with shares 1`,
    `recovery ${set} rehearsed at 1`,
    `recovery ${set} rehearsed at 1 with shares `,
    `recovery ${set} used at 1 `,
    `recovery ${set.slice(2)} used at 1`,
  ])
    assert.equal(readRecoveryText(text), undefined, text)
})

async function aRecovery(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-recovery-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const socket = join(folder, 'unseal.sock')
  const means = { environment: { CLAVIGER_UNSEAL_SOCKET: socket }, randomBytes }
  const parameters = { threshold: '2', shares: '3', out: folder }
  const closed = await recovery.close(KEY, { parameters, file: FILE }, means)
  const entry: SealEntry = { seal: 'recovery', ...closed, createdAt: 0 }
  const shares = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
  return { entry, shares, means, give: (given: readonly string[]) => giveShares(socket, given) }
}

async function fileOf(sealedBy: readonly SealEntry[]): Promise<string> {
  const content = await rootKeyFile({ versions, seals: 1, service: [] }, randomBytes, undefined)
  const text = sealedFileText(
    content,
    { key: KEY, name: FILE, sealedBy: [{ seal: 'passphrase' }, ...sealedBy] },
    randomBytes,
  )
  return JSON.stringify(JSON.parse(text))
}
