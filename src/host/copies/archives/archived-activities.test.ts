import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { seeded } from '../../../../test/support/seeded.ts'
import { testWorld } from '../../../../test/support/service.ts'
import { Secret } from '../../../trusted/base/secret.ts'
import { Pace, Work } from '../../../trusted/base/work.ts'
import type { ActivityRow } from '../../../trusted/catalogue/unit.ts'
import { openKeyring } from '../../../trusted/vault/keys/keyring.ts'
import { openVault } from '../../../trusted/vault/vault.ts'
import type { Vault } from '../../../protocol/vault.ts'
import { fileBeside, syncFolderOf } from '../../app/file-beside.ts'
import { fits, idRange } from '../../store/listing.ts'
import { SCHEMA_STEP } from '../../store/schema-step.ts'
import { openSqlite } from '../../store/sqlite/sqlite.ts'
import type { ActivityFilter, Page, Store } from '../../store/store.ts'
import { aRequest } from '../../store/testing/fixtures.ts'
import { subsets, TYPES } from '../../store/testing/listing-filters.ts'
import { archiveFolder } from '../archive-folder.ts'
import { archiveFileName } from '../archive-note.ts'
import type { ArchivePlace } from '../archive-place.ts'
import { rootCopyKey } from '../copy-key.ts'
import { readHeader } from '../copy-header.ts'
import { localFile } from '../local-file.ts'
import { noteArchive } from '../note-archive.ts'
import { openCopy } from '../read-copy.ts'
import { type ArchivedActivities, archivedActivities } from './archived-activities.ts'
import { archiveBlocks } from './archive-blocks.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { writeArchive } from './write-archive.ts'

const root = mkdtempSync(join(tmpdir(), 'claviger-archives-'))
after(() => rmSync(root, { recursive: true, force: true }))

const ORGANIZATIONS = ['org-a', 'org-b', 'org-c', 'org-d']
const SETTLED = ['ACTIVITY_STATUS_COMPLETED', 'ACTIVITY_STATUS_FAILED'] as const

test('whatever stands in whichever archive, a page is what a sorted list of all of it would answer', async () => {
  await withPlace('random', async (setting) => {
    const { pick, below } = seeded('pages')
    const files: ActivityRow[][] = [[], [], [], []]
    // One file has three levels of blocks, and most of its activities are of one organization.
    for (let n = 1; n <= 11_000; n++) {
      const file = below(10) === 0 ? below(files.length) : 0
      const organizationId = below(20) === 0 ? pick(ORGANIZATIONS) : 'org-b'
      const parts = { organizationId, seal: '2.1.AAAA', type: pick(TYPES), status: pick(SETTLED) }
      files[file]?.push(aRequest(180 * n + 2 * below(90), parts))
    }
    for (const rows of files) await setting.archive(rows)
    const all = files.flat().toSorted(byKey)

    for (let round = 0; round < 300; round++) {
      const organizationId = pick(ORGANIZATIONS)
      const own = all.filter((row) => row.organizationId === organizationId)
      const cursor = () =>
        below(3) === 0 ? undefined : pick([...own, aRequest(below(2_000_000))]).activityId
      const [before, until] = [cursor(), cursor()]
      const page: Page = {
        limit: pick([1, 2, 10, 100]),
        ...(before === undefined ? {} : { before }),
        ...(until === undefined ? {} : { after: until }),
      }
      const types = subsets(TYPES)[below(9)]
      const statuses = subsets(SETTLED)[below(5)]
      const filter = { ...(types && { types }), ...(statuses && { statuses }) }
      const found = await setting.page(organizationId, filter, page)
      assert.deepEqual(found, modelled(own, filter, page), JSON.stringify({ organizationId, filter, page }))
    }
    for (let round = 0; round < 100; round++) {
      const row = pick(all)
      const organizationId = pick(ORGANIZATIONS)
      const found = await setting.archives.activity(organizationId, row.activityId, work())
      assert.deepEqual(found, row.organizationId === organizationId ? row : undefined)
    }
  })
})

test('a page opens as many blocks as its activities are in, however long the history and however rare what it looks for', async () => {
  const most: number[] = []
  for (const size of [2_000, 32_000])
    await withPlace(`of ${size}`, async (setting) => {
      const { below } = seeded('bounded')
      const months = [0, 1, 2, 3]
      const rare = 'ACTIVITY_TYPE_CREATE_POLICY_V3'
      for (const month of months) {
        const rows: ActivityRow[] = []
        for (let n = 1; n <= size / months.length; n++)
          rows.push(
            aRequest(month * 1_000_000 + n, {
              organizationId: below(10) === 0 ? 'org-c' : 'org-b',
              seal: '2.1.AAAA',
              type: n % 500 === 0 ? rare : 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
            }),
          )
        await setting.archive(rows)
      }
      const counts: number[] = []
      const reading = async (filter: ActivityFilter, page: Page, organizationId = 'org-b'): Promise<void> => {
        const before = setting.reads()
        await setting.page(organizationId, filter, page)
        counts.push(setting.reads() - before)
      }
      // A file is opened with two reads of it, once.
      await reading({}, { limit: 1 }, 'org-a')
      counts.length = 0
      await reading({}, { limit: 10 })
      await reading({}, { limit: 10, after: aRequest(2_000_300).activityId })
      await reading({}, { limit: 10, before: aRequest(1_000_001).activityId })
      await reading({ types: [rare] }, { limit: 10 })
      await reading({ types: ['ACTIVITY_TYPE_CREATE_USERS_V4'] }, { limit: 100 })
      await reading({ statuses: ['ACTIVITY_STATUS_CONSENSUS_NEEDED'] }, { limit: 100 })
      await reading({}, { limit: 10 }, 'org-c')
      await reading({}, { limit: 100 }, 'org-zz')
      most.push(Math.max(...counts))
      const [page, after, before, rareOnes, absent, waiting, , nobody] = counts
      assert.ok(
        [page, after, before].every((count = 99) => count <= 8),
        counts.join(', '),
      )
      assert.ok((rareOnes ?? 99) <= 10 * 2 + 8, counts.join(', '))
      assert.deepEqual([absent, waiting, nobody], [0, 0, 0])
    })
  assert.ok((most[1] ?? 99) <= 28, most.join(', '))
})

test('an archive whose entries say something else than its rows is found when it is verified', async () => {
  await withPlace('lying', async (setting) => {
    const rows = Array.from({ length: 200 }, (_, n) =>
      aRequest(n + 1, {
        organizationId: n < 100 ? 'org-a' : 'org-b',
        seal: '2.1.AAAA',
        type: TYPES[n % 2] ?? '',
      }),
    )
    await setting.archive(rows)
    await setting.verified()
    for (const lie of [
      { kinds: [0] },
      { kinds: [] },
      { rows: 199 },
      { firstOrganizationId: 'org-b' },
      { lastOrganizationId: 'org-a' },
      { leastId: aRequest(2).activityId },
      { greatestId: aRequest(199).activityId },
      { level: 2 },
      { at: 400 },
    ])
      await assert.rejects(setting.verified(lie), /damaged/, JSON.stringify(lie))
  })
})

type Setting = {
  readonly archives: ArchivedActivities
  /** Makes an archive of these, in a file and with its note. */
  readonly archive: (rows: readonly ActivityRow[]) => Promise<void>
  readonly page: (
    organizationId: string,
    filter: ActivityFilter,
    page: Page,
  ) => Promise<readonly ActivityRow[]>
  /** Reads the first archive to its end, after a host that is misled has its uppermost entry say this. */
  readonly verified: (lie?: Partial<ArchiveEntry>) => Promise<void>
  /** How many ranges of files were read. */
  readonly reads: () => number
}

async function withPlace(name: string, body: (setting: Setting) => Promise<void>): Promise<void> {
  const store = openSqlite({ path: ':memory:' })
  try {
    const world = testWorld(7)
    const keyring = openKeyring([{ version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }])
    const vault = openVault({ world, keyring, activities: [] })
    const folder = archiveFolder(join(root, name), { fileBeside, syncFolderOf })
    await folder.prepare()
    let reads = 0
    const place: ArchivePlace = {
      ...folder,
      open: async (file) => {
        const found = await folder.open(file)
        return found && { ...found, read: (range) => (reads++, found.read(range)) }
      },
    }
    const archives = archivedActivities({ store, vault, place })
    let files = 0
    await body({
      archives,
      archive: (rows) =>
        archiveIn({ store, vault, place, month: `2026-${String(++files).padStart(2, '0')}` }, rows),
      page: async (organizationId, filter, page) =>
        await archives.activities(
          organizationId,
          { filter, range: idRange(page), limit: page.limit, standing: [] },
          work(),
        ),
      verified: async (lie) => await verified(vault, join(root, name, 'activities-2026-01.claviger'), lie),
      reads: () => reads,
    })
  } finally {
    await store.close()
  }
}

async function archiveIn(
  to: { readonly store: Store; readonly vault: Vault; readonly place: ArchivePlace; readonly month: string },
  rows: readonly ActivityRow[],
): Promise<void> {
  const { store, vault, place, month } = to
  const name = { month, part: 1 }
  const { randomBytes } = testWorld(Number(month.slice(-2)))
  const pages = async function* () {
    yield rows.toSorted(byKey)
  }
  const manifest = await writeArchive(pages(), vault, {
    write: (bytes) => place.write(archiveFileName(name), bytes),
    recipients: [],
    randomBytes,
    about: { claviger: 'test', schema: SCHEMA_STEP, copiedAt: 1, lastJob: 0, archive: name },
  })
  const file = (await place.open(archiveFileName(name))) ?? assert.fail('it was written')
  const copy = await openCopy(file, vault, { identities: [], schema: SCHEMA_STEP })
  const read: ActivityRow[] = []
  for await (const page of copy.pages()) if (page.table === 'activities') read.push(...page.rows)
  assert.deepEqual(read, rows.toSorted(byKey))
  await noteArchive({ store, vault }, name, { copy, manifest })
}

async function verified(vault: Vault, path: string, lie: Partial<ArchiveEntry> = {}): Promise<void> {
  const whole = readFileSync(path)
  const { header, text } = await readHeader(await localFile(path))
  const fileKey = (await rootCopyKey(vault, header.key)) ?? assert.fail('its version is held')
  const blocks = archiveBlocks({ fileKey, header: text, compression: header.compression })
  const at = whole.length - 4 - whole.readUInt32BE(whole.length - 4)
  const end = JSON.parse(String(await blocks.open({ kind: 'end', at }, whole.subarray(at, -4))))
  const lying = Buffer.from(JSON.stringify({ ...end, root: { ...end.root, ...lie } }))
  const sealed = await blocks.seal({ kind: 'end', at }, lying)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(sealed.length)
  writeFileSync(`${path}.lying`, Buffer.concat([whole.subarray(0, at), sealed, length]))
  const copy = await openCopy(await localFile(`${path}.lying`), vault, {
    identities: [],
    schema: SCHEMA_STEP,
  })
  let rows = 0
  for await (const page of copy.pages()) rows += page.rows.length
  assert.equal(rows, 200)
}

function byKey(a: ActivityRow, b: ActivityRow): number {
  return `${a.organizationId} ${a.activityId}` < `${b.organizationId} ${b.activityId}` ? -1 : 1
}

function modelled(own: readonly ActivityRow[], filter: ActivityFilter, page: Page): readonly ActivityRow[] {
  const { above, below, newestFirst } = idRange(page)
  const rows = own.filter((row) => row.activityId > above && row.activityId < below && fits(row, filter))
  return (newestFirst ? rows.toReversed() : rows).slice(0, page.limit)
}

function work(): Work {
  return new Work(new Pace(async () => {}), 'anybody')
}
