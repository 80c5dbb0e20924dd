import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { reportRestores } from '../../src/host/app/report-restores.ts'
import { checkSame, digestsOf, loadRows } from '../../src/host/copies/move-rows.ts'
import { localFile, writeLocalFile } from '../../src/host/copies/local-file.ts'
import type { OpenedCopy } from '../../src/host/copies/opened-copy.ts'
import { openCopy } from '../../src/host/copies/read-copy.ts'
import { restoreCopy } from '../../src/host/copies/restore-copy.ts'
import { ROOT_PROOF_NOTE } from '../../src/host/copies/root-proof-note.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { isStoreNote } from '../../src/host/copies/store-notes.ts'
import { writeCopy } from '../../src/host/copies/write-copy.ts'
import { announceHost, announcedHosts } from '../../src/host/rotation/hosts.ts'
import type { Loader } from '../../src/host/store/loader.ts'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import { withPostgresLoader } from '../../src/host/store/postgres/loader.ts'
import { withPostgresSnapshot } from '../../src/host/store/postgres/snapshot.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import type { Snapshot } from '../../src/host/store/snapshot.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { withSqliteLoader } from '../../src/host/store/sqlite/loader.ts'
import { withSqliteSnapshot } from '../../src/host/store/sqlite/snapshot.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { aCache, onFile, openServiceOn, type Sent, type Service, START } from '../tampering/harness.ts'
import { done, populate, signing, submission } from '../tampering/populated.ts'
import { probesOf } from '../tampering/probes.ts'

const cache = aCache()
after(() => cache.clear())
const MINUTE_MS = 60_000

/** A service with something of everything, a copy of it, and what it did after that copy, all of which is lost. */
async function aLostService(name: string) {
  const path = cache.path(`${name}.db`)
  const file = cache.path(`${name}.backup`)
  return await onFile(path, async (service, store) => {
    const populated = await populate(service, store)
    const { root, ada, ben, keyId, waitingForApproval } = populated
    const mailed = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
    await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: 'With an address',
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: 'Mara',
          userEmail: 'mara@example.com',
          apiKeys: [{ apiKeyName: 'key', publicKey: mailed.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    })
    await withSqliteSnapshot(path, (snapshot) => copied(snapshot, service.vault, file))
    const lost = signing(service.world, root, keyId, 'aa')
    assert.equal((await service.send(lost)).status, 200)
    const approval = submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint: waitingForApproval })
    assert.equal((await service.send(approval)).status, 200)
    return { populated, file, lost, approval, lostAt: service.world.now(), ada }
  })
}

async function copied(
  snapshot: Snapshot,
  vault: Vault,
  path: string,
  leavesOut: (note: string) => boolean = isStoreNote,
): Promise<void> {
  await writeCopy(snapshotSource(snapshot, { leavesOut }), vault, {
    write: async (bytes) => await writeLocalFile(path, bytes),
    recipients: [],
    randomBytes: testWorld(7).randomBytes,
    about: { claviger: '0.1.0', schema: SCHEMA_STEP, copiedAt: START, lastJob: snapshot.lastJob },
    paused: () => {},
  })
}

async function opened(file: string, seed = 3): Promise<{ readonly copy: OpenedCopy; readonly vault: Vault }> {
  const { vault } = await openServiceOn(openSqlite({ path: ':memory:' }), testWorld(seed, START))
  return {
    copy: await openCopy(await localFile(file), vault, { identities: [], schema: SCHEMA_STEP }),
    vault,
  }
}

async function restored(
  file: string,
  lostAt: number,
  into: (work: (loader: Loader) => Promise<unknown>) => Promise<unknown>,
) {
  const { copy, vault } = await opened(file, lostAt % 1_000_003)
  let unannounced: readonly string[] = []
  await into(async (loader) => {
    const copied = await restoreCopy(copy, {
      vault,
      loader,
      restored: { copiedAt: START, lostAt },
      paused: () => {},
    })
    unannounced = copied.unannounced
  })
  return { unannounced }
}

async function served<T>(store: Store, at: number, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await openServiceOn(store, testWorld(4, at))
  await reportRestores(store, service.vault)
  return await use(service)
}

test('after a restore nothing that was acknowledged and lost is done again, and what is known is answered as it was', async () => {
  const { populated, file, lost, approval, lostAt } = await aLostService('lost')
  const path = cache.path('restored.db')
  await restored(file, lostAt, (work) => withSqliteLoader(path, work))
  const store = openSqlite({ path })
  const at = lostAt + 2 * MINUTE_MS
  await served(store, at, async (service) => {
    const { root, ada, ben, signed, keyId, waitingForApproval, waitingForRejection } = populated
    const code = async (sent: Sent) => {
      const { status, text } = await service.send(sent)
      return status === 200 ? 200 : `${status} ${String(JSON.parse(text).message)}`
    }
    assert.equal(await code(signed), 200)
    assert.match(String(await code(lost)), /^400 invalid timestampMs: .* may have been carried out and lost/)
    assert.match(String(await code(approval)), /^400 invalid timestampMs/)
    // Made after the restore, but not five minutes after it: the lost service took requests from so far ahead.
    assert.match(String(await code(signing(service.world, root, keyId, 'bb'))), /^400 invalid timestampMs/)

    service.world.advance(4 * MINUTE_MS)
    assert.equal(await code(signing(service.world, root, keyId, 'cc')), 200)
    assert.match(String(await code(lost)), /^400 invalid timestampMs/)
    const vote = (by: typeof ada, type: string, fingerprint: string) =>
      submission(service.world, by, type, { fingerprint })
    const approved = await code(vote(ben, 'APPROVE_ACTIVITY', waitingForApproval))
    assert.match(String(approved), /^\d+ the activity waited when this service was restored/)
    assert.equal(await code(vote(ben, 'REJECT_ACTIVITY', waitingForRejection)), 200)
    // What is asked for now waits, and is approved, as ever.
    const anew = signing(service.world, ada, keyId, 'dd')
    const { activity } = JSON.parse((await service.send(anew)).text)
    assert.equal(activity.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    assert.equal(await code(vote(ben, 'APPROVE_ACTIVITY', activity.fingerprint)), 200)
  })
  await store.close()
})

test('a backup is restored however many notes it has, and not without the proof of its root key', async () => {
  const path = cache.path('notes.db')
  const [whole, unproven] = [cache.path('notes.backup'), cache.path('unproven.backup')]
  await onFile(path, async (service, store) => {
    await populate(service, store)
    // In the order of their names they fill the first page, and the proof stands in the second.
    for (let n = 0; n < 500; n++) await store.noteOnce(`note ${n}`, 'kept')
    await withSqliteSnapshot(path, (snapshot) => copied(snapshot, service.vault, whole))
    await withSqliteSnapshot(path, (snapshot) =>
      copied(snapshot, service.vault, unproven, (name) => name === ROOT_PROOF_NOTE),
    )
  })
  const into = cache.path('noted.db')
  await restored(whole, START, (work) => withSqliteLoader(into, work))
  const store = openSqlite({ path: into })
  assert.equal(await store.note('note 499'), 'kept')
  await store.close()
  await assert.rejects(
    restored(unproven, START, (work) => withSqliteLoader(cache.path('unproven.db'), work)),
    { name: 'CopyError', message: /under another root key, or by another program/ },
  )
})

test('hosts that ran beside the data of before are not waited for beside a copy of them', async () => {
  const path = cache.path('hosts.db')
  const file = cache.path('hosts.backup')
  const lost = { id: 'lost', name: 'lost', at: START + 400 * 24 * 60 * MINUTE_MS, seals: 1, versions: [] }
  await onFile(path, async (service, store) => {
    await populate(service, store)
    await announceHost(store, lost)
    // Its clock was ahead: it has not been forgotten by the time that the copy is served.
    assert.deepEqual(await announcedHosts(store, lost.at), [lost])
    // A copy of an earlier version, which took such notes along.
    await withSqliteSnapshot(path, (snapshot) => copied(snapshot, service.vault, file, () => false))
  })
  const into = cache.path('hosts-restored.db')
  await restored(file, START, (work) => withSqliteLoader(into, work))
  const store = openSqlite({ path: into })
  assert.deepEqual(await announcedHosts(store, lost.at), [])
  // The same note in data that were copied by other means: no clock is so far ahead.
  await announceHost(store, lost)
  assert.deepEqual(await announcedHosts(store, START), [])
  assert.deepEqual(await announcedHosts(store, lost.at), [])
  await store.close()
})

test('every root user with an address is told by mail, in the transaction that restores', async () => {
  const { file, lostAt } = await aLostService('mailed')
  const path = cache.path('mailed-restored.db')
  await restored(file, lostAt, (work) => withSqliteLoader(path, work))
  const store = openSqlite({ path })
  await served(store, lostAt, async ({ vault }) => {
    const jobs = await store.takeJobs({ now: lostAt + 1, leaseMs: 1, limit: 100 })
    const mails = await Promise.all(
      jobs.flatMap((job) => (job.kind === 'webhook' ? [] : [vault.openJob(job.row)])),
    )
    const told = mails.filter((mail) => mail.channel === 'email' && mail.about === 'restored')
    assert.deepEqual(
      told.map((mail) => [mail.to, 'restored' in mail ? mail.restored : undefined]),
      [['mara@example.com', { copiedAt: START, lostAt }]],
    )
  })
  await store.close()
})

test('charters that were changed before the backup are restored as they were, and told to nobody, and the others to all', async () => {
  const path = cache.path('lost-mailed-changed.db')
  const file = cache.path('changed.backup')
  const { populated, lostAt } = await aLostService('mailed-changed')
  const changed = cache.changed(cache.path('mailed-changed.db'), (db) => {
    const change = db.prepare('UPDATE charters SET body = ?, version = ? WHERE organization_id = ?')
    change.run('{"users":[]}', 7, populated.other.organizationId)
    // No charter has this version.
    change.run('{"users":[]}', 0, populated.sub.organizationId)
  })
  const { vault: own } = await opened(cache.path('mailed-changed.backup'))
  await withSqliteSnapshot(changed, (snapshot) => copied(snapshot, own, file))

  const { unannounced } = await restored(file, lostAt, (work) => withSqliteLoader(path, work))
  const { other, sub } = populated
  assert.deepEqual([...unannounced].toSorted(), [other.organizationId, sub.organizationId].toSorted())
  const store = openSqlite({ path })
  await served(store, lostAt, async ({ vault }) => {
    const jobs = await store.takeJobs({ now: lostAt + 1, leaseMs: 1, limit: 100 })
    const mails = await Promise.all(
      jobs.flatMap((job) => (job.kind === 'webhook' ? [] : [vault.openJob(job.row)])),
    )
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['mara@example.com'],
    )
  })
  assert.equal((await store.charter(other.organizationId))?.version, 7)
  await store.close()
})

test('a note of a restore that the vault has not proven stops the start, and no other proof passes for one', async () => {
  const store = openSqlite({ path: ':memory:' })
  const { vault } = await openServiceOn(store, testWorld(1, START))
  const said = async (challenge: string) =>
    await vault.restored({ challenge, proof: await vault.proveRoot(challenge) })
  assert.equal(await said(`restored from a copy of ${START}, lost at ${START}`), true)
  for (const text of [
    '',
    'backup 00',
    'restored',
    `restored from a copy of ${START}, lost at ${START} `,
    'restored from a copy of 1, lost at x',
  ])
    assert.equal(await said(text), false, text)
  const proof = await vault.proveRoot('something else')
  assert.equal(await vault.restored({ challenge: 'restored from a copy of 1, lost at 1', proof }), false)

  const note = `restored from a copy of 1, lost at 1\t${proof}\n`
  await assert.rejects(reportRestores({ note: async () => note }, vault), {
    name: 'WrongRootKey',
    message: /altered by hand/,
  })
  await store.close()
})

test('an earlier restore stays in the note of a later one, and the latest counts', async () => {
  const { file, lostAt } = await aLostService('twice')
  const [once, twice] = [cache.path('once.db'), cache.path('twice-restored.db')]
  await restored(file, lostAt, (work) => withSqliteLoader(once, work))
  const again = cache.path('again.backup')
  const { vault } = await opened(file)
  await withSqliteSnapshot(once, (snapshot) => copied(snapshot, vault, again))
  await restored(again, lostAt + MINUTE_MS, (work) => withSqliteLoader(twice, work))
  const store = openSqlite({ path: twice })
  const note = (await store.note('restored')) ?? ''
  assert.deepEqual(
    note
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
    [lostAt, lostAt + MINUTE_MS].map((at) => `restored from a copy of ${START}, lost at ${at}`),
  )
  await store.close()
})

const skip = postgresAvailable() ? false : postgresMissing
test('a store that was backed up, restored on the other engine and moved back answers everything as before', {
  skip,
}, async (t) => {
  for (const seed of [1, 2, 3]) {
    const path = cache.path(`round-${seed}.db`)
    const store = openSqlite({ path })
    t.after(() => store.close())
    const first = await openServiceOn(store, testWorld(seed, START))
    const populated = await populate(first, store)
    for (let n = 0; n < 20 * seed; n++)
      await first.send(
        signing(first.world, populated.root, populated.keyId, `f${n.toString(16).padStart(3, '0')}`),
      )
    const at = START + 30 * MINUTE_MS
    const file = cache.path(`round-${seed}.backup`)
    await withSqliteSnapshot(path, (snapshot) => copied(snapshot, first.vault, file))

    const url = await freshDatabase()
    await restored(file, START, (work) => withPostgresLoader(url, work))
    const back = cache.path(`round-${seed}-back.db`)
    await withPostgresSnapshot(url, (snapshot) =>
      withSqliteLoader(back, async (loader) => {
        const tables = await loadRows(snapshotSource(snapshot), loader, {
          lastJob: snapshot.lastJob,
          paused: () => {},
        })
        checkSame(tables, await digestsOf(snapshotSource(loader), () => {}))
      }),
    )
    const answers = async (on: Store, probes: ReturnType<typeof probesOf>) =>
      await served(on, at, async (service) => {
        const told: string[] = []
        for (const { name, sent } of probes) {
          const { status, text } = await service.send(sent)
          told.push(`${name}: ${status} ${withoutFresh(text)}`)
        }
        return told
      })
    // Voting on what waited is what a restore changes, as tested above.
    const probes = probesOf(populated, at).filter(
      ({ name }) => !/approv|reject|wait|vote|one of two/i.test(name),
    )
    assert.ok(probes.length > 30)
    const expected = await answers(store, probes)
    const moved = openSqlite({ path: back })
    t.after(() => moved.close())
    const postgres = await openPostgres({ url })
    t.after(() => postgres.close())
    assert.deepEqual(await answers(moved, probes), expected)
    assert.deepEqual(await answers(postgres, probes), expected)
  }
})

/** Ids and times of what a probe itself makes are its own. */
function withoutFresh(text: string): string {
  return text
    .replaceAll(/"(id|activityId|[rs]|seconds|nanos|votes)":("[^"]*"|\[[^\]]*\])/g, '"$1":…')
    .replaceAll(/01a1fb82-[0-9a-f-]{27}/g, '…')
}
