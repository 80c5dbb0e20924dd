import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { activities } from '../../src/trusted/activities/list.ts'
import { asBuffer } from '../../src/trusted/base/bytes.ts'
import { costs } from '../../src/trusted/base/costs.ts'
import { errorBody, Failure, httpStatusByCode } from '../../src/trusted/base/failure.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import { Pace, REQUEST_COST_MAX, Work } from '../../src/trusted/base/work.ts'
import { SERVICE_PURPOSES } from '../../src/trusted/catalogue/service-purposes.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { openKeyring } from '../../src/trusted/vault/keys/keyring.ts'
import { openVault } from '../../src/trusted/vault/vault.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { tellClosedArchives } from '../../src/host/app/tell-closed-archives.ts'
import type { ArchiveStep } from '../../src/host/copies/archive-month.ts'
import { archiveFileName } from '../../src/host/copies/archive-note.ts'
import { archivedActivities } from '../../src/host/copies/archives/archived-activities.ts'
import { writeArchive } from '../../src/host/copies/archives/write-archive.ts'
import { noteArchive } from '../../src/host/copies/note-archive.ts'
import { verifiedArchive } from '../../src/host/copies/verified-archive.ts'
import { interfaceRoutes } from '../../src/host/http/routes.ts'
import { openHost } from '../../src/host/pipeline/open-host.ts'
import { partInOutage } from '../../src/host/pipeline/part-in-outage.ts'
import { readActivities } from '../../src/host/pipeline/read-activities.ts'
import { queries } from '../../src/host/queries/list.ts'
import { orderResealing } from '../../src/host/rotation/resealing-note.ts'
import { resealStep } from '../../src/host/rotation/reseal-step.ts'
import { SCHEMA_STEP } from '../../src/host/store/schema-step.ts'
import { quietHost } from '../support/quiet.ts'
import { type Outcome, sentBy } from '../tampering/harness.ts'
import type { Person } from '../tampering/populated.ts'
import {
  activitiesOf,
  archived,
  archivedRows,
  engines,
  type History,
  placeOf,
  problemsIn,
  sqlite,
  withHistory,
} from './history.ts'

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: queries answer while activities are archived, and after that, as they did before`, async () => {
    await withHistory(open, async (history) => {
      const first = asking(history)
      const answers = async (ask: Ask, readers = readersIn(history)): Promise<readonly string[]> => {
        const found: string[] = []
        for (const [by, of] of readers)
          for (const filter of FILTERS)
            for (const limit of [2, 100]) found.push(...(await pagesOf(ask, by, { of, limit, filter })))
        return found
      }
      const each = async (ask: Ask): Promise<readonly string[]> => {
        const found: string[] = []
        for (const { activityId } of history.before)
          for (const [by, of] of readersIn(history))
            found.push((await ask(by, 'get_activity', { activityId }, of)).text)
        return found
      }
      const [lists, records] = [await answers(first), await each(first)]
      const root = readersIn(history).slice(0, 1)
      const ofRoot = await answers(first, root)
      const steps = new Set<ArchiveStep>()
      await archived(history, {
        paused: async (step) => {
          if (steps.has(step) && step !== 'removed') return
          steps.add(step)
          // A host that has read archives before, and one that has just begun.
          for (const ask of [first, asking(history)]) assert.deepEqual(await answers(ask, root), ofRoot, step)
        },
      })
      for (const ask of [first, asking(history)]) assert.deepEqual(await answers(ask), lists)
      assert.equal((await activitiesOf(history.store)).length, 3)
      assert.deepEqual(await each(first), records)
      assert.deepEqual(await each(asking(history)), records)
    })
  })

test('a list goes over the border by its cursors while activities are archived between two pages', async () => {
  for (const isBackwards of [false, true])
    await withHistory(sqlite, async (history) => {
      const ask = asking(history)
      const { root } = history.populated
      const all = history.before
        .filter(({ organizationId }) => organizationId === root.organizationId)
        .map(({ activityId }) => activityId)
        .toSorted()
      const found: string[] = []
      const page = async (): Promise<number> => {
        const cursor = isBackwards ? { before: found[0] ?? all[0] } : { after: found.at(-1) }
        const paginationOptions = { limit: '1', ...cursor }
        const ids = idsIn(await ask(root, 'list_activities', { paginationOptions }))
        if (isBackwards) found.unshift(...ids)
        else found.push(...ids)
        return ids.length
      }
      for (let pages = 0; pages < 4; pages++) await page()
      await archived(history, { paused: async (step) => void (step === 'removed' && (await page())) })
      while ((await page()) > 0);
      assert.deepEqual(isBackwards ? [...found, all[0]] : found, all.toReversed())
    })
})

test('a file that was changed, cut off or exchanged answers an error and never a record, and nothing that does not need it fails', async () => {
  await withHistory(sqlite, async (history) => {
    const { folder, populated } = history
    await archived(history)
    const path = join(folder, 'activities-2026-11.claviger')
    const whole = readFileSync(path)
    const used = asking(history)
    const signed = { activityId: populated.signedId }
    const right = await used(populated.root, 'get_activity', signed)
    assert.equal(right.status, 200)

    const flipped = (at: number): Buffer => {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes
    }
    const header = whole.indexOf('\n')
    const ofAnother = await withOther(async (other) =>
      readFileSync(join(other.folder, 'activities-2026-11.claviger')),
    )
    const anew = { ...history, folder: join(folder, 'anew') }
    const rows = (await archivedRows(history)).filter(({ updatedAt }) => updatedAt < Date.UTC(2026, 11))
    await assert.rejects(
      archiveRows(anew, history.service.vault, rows),
      /another file is noted as the archive/,
    )
    const madeAnew = readFileSync(join(anew.folder, 'activities-2026-11.claviger'))
    for (const [name, bytes] of Object.entries({
      'a byte of its beginning': flipped(header - 20),
      'a byte of its first block': flipped(header + 40),
      'a byte of its end': flipped(whole.length - 100),
      'the length of its end': flipped(whole.length - 1),
      'another length of its end': flipped(whole.length - 4),
      'cut off': whole.subarray(0, whole.length - 200),
      'something behind it': Buffer.concat([whole, Buffer.from('more')]),
      'nothing at all': Buffer.alloc(0),
      'another month': readFileSync(join(folder, 'activities-2026-12.claviger')),
      'another store': ofAnother,
      'the same rows, made anew': madeAnew,
    })) {
      writeFileSync(path, bytes)
      // A host that has read it before keeps nothing of its records.
      for (const [who, ask] of Object.entries({ used, fresh: asking(history) })) {
        const isBehind =
          who === 'used' &&
          !name.includes('first block') &&
          !/cut off|nothing|anew|another (month|store)/.test(name)
        const answer = await ask(populated.root, 'get_activity', signed)
        if (!isBehind) {
          assert.equal(answer.status, 500, `${name}, ${who}: ${answer.text}`)
          assert.match(
            String(answer.bug),
            /damaged|is not the file that was noted|not a backup of Claviger|cannot be read/,
            name,
          )
        }
        const newest = await ask(populated.root, 'list_activities', { paginationOptions: { limit: '1' } })
        assert.equal(idsIn(newest).length, 1, name)
      }
    }
    writeFileSync(path, whole)
    for (const ask of [used, asking(history)])
      assert.equal((await ask(populated.root, 'get_activity', signed)).text, right.text)
  })
})

test('a file that is not there is an outage of what is looked for in it, and of nothing else', async () => {
  await withHistory(sqlite, async (history) => {
    const { folder, populated } = history
    const ask = asking(history)
    const before = await pagesOf(ask, populated.root, { limit: 100 })
    await archived(history)
    const [path, away] = [join(folder, 'activities-2026-11.claviger'), join(folder, 'away')]
    renameSync(path, away)
    const { bug } = await ask(populated.root, 'get_activity', { activityId: populated.signedId })
    assert.equal(partInOutage(bug), 'archives')
    assert.match(String(bug), /activities were archived in activities-2026-11.claviger, and it is not in /)
    const page = async (limit: string) =>
      await ask(populated.root, 'list_activities', { paginationOptions: { limit } })
    assert.equal(idsIn(await page('2')).length, 2)
    assert.equal(partInOutage((await page('100')).bug), 'archives')
    assert.equal((await ask(populated.root, 'whoami', {})).status, 200)
    renameSync(away, path)
    assert.deepEqual(await pagesOf(ask, populated.root, { limit: 100 }), before)
  })
})

test('a note that the vault has not proven, and a record that it has not sealed, answer an error', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, populated, service } = history
    await archived(history)
    const signed = { activityId: populated.signedId }
    const name = 'archived 2026-11 1'
    const note = (await store.note(name)) ?? assert.fail()
    const forged = note.replace(/\t.*/, '\tforged')
    await store.replaceNote(name, note, forged)
    const { status, bug } = await asking(history)(populated.root, 'get_activity', signed)
    assert.equal(status, 500)
    assert.match(String(bug), /the note of activities-2026-11.claviger in \S+ has no proof of this root key/)
    await store.replaceNote(name, forged, note)

    // A host that is misled has made an archive of what nobody has sealed: the vault proves it, and opens it.
    const [row] = (await archivedRows(history)).filter(({ activityId }) => activityId === populated.signedId)
    assert.ok(row !== undefined)
    const lying: Vault = {
      ...service.vault,
      verify: async () => ({ problems: [], claims: [], directory: [] }),
    }
    const own = { ...history, folder: mkdtempSync(join(history.folder, 'misled-')) }
    const result = row.result?.replace(/[0-9a-f]{64}/, 'f'.repeat(64)) ?? null
    assert.notEqual(result, row.result)
    for await (const changed of [
      row,
      { ...row, result },
      { ...row, organizationId: populated.other.organizationId },
    ]) {
      await store.replaceNote(name, (await store.note(name)) ?? null, null)
      rmSync(own.folder, { recursive: true })
      await archiveRows(own, lying, [changed])
      for (const by of [populated.root, populated.other]) {
        const answer = await asking(own)(by, 'get_activity', signed)
        if (by.organizationId !== changed.organizationId) assert.equal(answer.status, 404)
        else if (changed === row) assert.equal(answer.status, 200, answer.text)
        else assert.match(String(answer.bug), /does not carry the vault's seal/)
      }
    }
  })
})

test('an archive under a version that was retired is left out, named by verify, and read again with the kept file', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, service, populated } = history
    const { vault, keyring, world } = service
    const used = asking(history)
    const all = await pagesOf(used, populated.root, { limit: 100 })
    const reseal = async (): Promise<void> => {
      await orderResealing(store, 'an order', world.now())
      const means = { store, vault, now: world.now, by: 'a', rest: async () => {}, isStopped: () => false }
      while ((await resealStep(means)) !== undefined);
    }
    keyring.adopt({ versions: [FIRST, SECOND], seals: 2, service: [] })
    await assert.rejects(
      archived(history),
      /activity \S+ of organization \S+ is still sealed under version 1 of the root key, .* claviger root-key reseal first/,
    )
    assert.deepEqual(readdirSync(history.folder), [])
    await reseal()
    assert.deepEqual(await pagesOf(used, populated.root, { limit: 100 }), all)
    await archived(history)
    assert.deepEqual(await pagesOf(used, populated.root, { limit: 100 }), all)
    keyring.adopt({ versions: [FIRST, SECOND, THIRD], seals: 3, service: [] })
    await reseal()
    for (const ask of [used, asking(history)])
      assert.deepEqual(await pagesOf(ask, populated.root, { limit: 100 }), all)

    const own = SERVICE_PURPOSES.map((purpose) => ({
      purpose,
      version: 1,
      state: 'used' as const,
      secret: new Secret(keyring.serviceSecret(purpose)),
    }))
    keyring.adopt({ versions: [THIRD], seals: 3, service: own })
    const signed = { activityId: populated.signedId }
    for (const ask of [used, asking(history)]) {
      assert.equal((await ask(populated.root, 'get_activity', signed)).status, 404)
      const left = await ask(populated.root, 'list_activities', { paginationOptions: { limit: '100' } })
      assert.deepEqual(
        idsIn(left).toSorted(),
        (await activitiesOf(store)).map(({ activityId }) => activityId).toSorted(),
      )
    }
    const archives = archivedActivities({ store, vault, place: placeOf(history.folder) })
    assert.deepEqual(await archives.look(), ['activities-2026-11.claviger', 'activities-2026-12.claviger'])
    const problems = await problemsIn(history)
    assert.equal(problems.length, 2, problems.join('\n'))
    assert.match(
      problems[0] ?? '',
      /^archive activities-2026-11.claviger: the backup is encrypted under version 2 of the root key, which the root key file does not have/,
    )
    const kept = openVault({ world, keyring: openKeyring([FIRST, SECOND, THIRD]), activities })
    assert.deepEqual(await problemsIn({ ...history, service: { ...service, vault: kept } }), [])
  })
})

test('an archive that is encrypted to recipients is left out, and named when a service begins', async () => {
  await withHistory(sqlite, async (history) => {
    const { store, service, populated, folder } = history
    const age = await import('age-encryption')
    const identity = await age.generateIdentity()
    await archived(history, { recipients: [await age.identityToRecipient(identity)], identities: [identity] })
    const { status } = await asking(history)(populated.root, 'get_activity', {
      activityId: populated.signedId,
    })
    assert.equal(status, 404)
    const archives = archivedActivities({ store, vault: service.vault, place: placeOf(folder) })
    const lines: unknown[] = []
    await tellClosedArchives(archives, (...line) => lines.push(line))
    assert.deepEqual(lines, [
      [
        'warn',
        'archives closed',
        {
          detail:
            'the root key file does not open activities-2026-11.claviger, activities-2026-12.claviger: queries leave these archives out',
        },
      ],
    ])
  })
})

test('what is read in archives is charged to who asks, and a request may cost so much and no more', async () => {
  await withHistory(sqlite, async (history) => {
    await archived(history)
    const { store, service, folder, populated } = history
    const { vault } = service
    const archives = archivedActivities({ store, vault, place: placeOf(folder) })
    const { organizationId } = populated.root
    const spent: number[] = []
    const host = { store, vault, archives, pace: new Pace(async () => {}) }
    const read = readActivities(host, organizationId, (units) => spent.push(units))
    await read.activities({}, { limit: 1 })
    await read.activities({}, { limit: 100 })
    const [newest, all = 0] = spent
    // The notes say that nothing in the archives is as new.
    assert.equal(newest, 0)
    assert.ok(all > 2 * costs.archiveBlock && all < 20_000, String(all))
    const work = new Work(host.pace, organizationId)
    work.charge(REQUEST_COST_MAX - costs.archiveBlock)
    await assert.rejects(archives.activity(organizationId, populated.signedId, work), /needs more work than/)
  })
})

const FIRST = { version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }
const SECOND = { version: 2, secret: new Secret(new Uint8Array(32).fill(8)) }
const THIRD = { version: 3, secret: new Secret(new Uint8Array(32).fill(7)) }

const FILTERS = [
  {},
  { filterByStatus: ['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'] },
  { filterByType: ['ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', 'ACTIVITY_TYPE_CREATE_USERS_V3'] },
  { filterByStatus: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] },
]

/**
 * Who asks about which organization: its own root, its parent's, a member without rights, a sub-organization's, and
 * others.
 */
function readersIn({ populated }: History): readonly (readonly [Person, string])[] {
  const { root, sub, other, stranger } = populated
  return [
    [root, root.organizationId],
    [sub, sub.organizationId],
    [other, other.organizationId],
    [stranger, root.organizationId],
    [root, sub.organizationId],
    [sub, root.organizationId],
    [other, root.organizationId],
  ]
}

async function withOther<T>(read: (other: History) => Promise<T>): Promise<T> {
  let found: T | undefined
  await withHistory(
    sqlite,
    async (other) => {
      await archived(other)
      found = await read(other)
    },
    2,
  )
  return found ?? assert.fail()
}

/** An archive of November that has these and no others, whatever the store has. */
async function archiveRows(
  { store, service, folder }: History,
  vault: Vault,
  rows: readonly ActivityRow[],
): Promise<void> {
  const name = { month: '2026-11', part: 1 }
  const place = placeOf(folder)
  await place.prepare()
  const pages = async function* () {
    yield rows
  }
  await writeArchive(pages(), vault, {
    write: (bytes) => place.write(archiveFileName(name), bytes),
    recipients: [],
    randomBytes: service.world.randomBytes,
    about: { claviger: 'test', schema: SCHEMA_STEP, copiedAt: 1, lastJob: 0, archive: name },
  })
  const file = (await place.open(archiveFileName(name))) ?? assert.fail()
  await noteArchive({ store, vault }, name, await verifiedArchive(file, { vault, identities: [] }, name))
}

type Ask = (by: Person, operation: string, request: object, of?: string) => Promise<Outcome>

/** A host that serves from the store and the folder of archives. */
function asking({ store, service, folder }: History): Ask {
  const { vault, world } = service
  const archives = archivedActivities({ store, vault, place: placeOf(folder) })
  const host = openHost({ ...quietHost, store, world, activities, vault, archives })
  const routes = interfaceRoutes(host, { activities, queries })
  return async (by, operation, request, organizationId = by.organizationId) => {
    const { route, body, xStamp } = sentBy(by.key, `query/${operation}`, { organizationId, ...request })
    const found = routes.get(`POST /public/v1/${route}`) ?? assert.fail(route)
    try {
      const call = { clientAddress: '127.0.0.1', headers: {} }
      const answer = await found({ ...call, body: asBuffer(Buffer.from(body)), stamp: { xStamp } })
      if (answer.kind === 'ok') return { status: 200, text: answer.body }
      return { status: httpStatusByCode[answer.error.code], text: JSON.stringify(answer.error) }
    } catch (error) {
      if (!(error instanceof Failure)) return { status: 500, text: '', bug: error }
      return { status: httpStatusByCode[error.code], text: JSON.stringify(errorBody(error)) }
    }
  }
}

function idsIn({ status, text, bug }: Outcome): readonly string[] {
  assert.equal(status, 200, `${text} ${String(bug)}`)
  const { activities: page }: { readonly activities: readonly { readonly id: string }[] } = JSON.parse(text)
  return page.map(({ id }) => id)
}

/** What is answered for each page to the end, by the cursors of the interface; or the refusal. */
async function pagesOf(
  ask: Ask,
  by: Person,
  { of, limit, filter = {} }: { readonly of?: string; readonly limit: number; readonly filter?: object },
): Promise<readonly string[]> {
  const pages: string[] = []
  for (let after: string | undefined; ; ) {
    const paginationOptions = { limit: String(limit), ...(after === undefined ? {} : { after }) }
    const answer = await ask(by, 'list_activities', { ...filter, paginationOptions }, of)
    assert.equal(answer.bug, undefined)
    pages.push(answer.text)
    if (answer.status !== 200) return pages
    const ids = idsIn(answer)
    after = ids.at(-1)
    if (ids.length < limit) return pages
  }
}
